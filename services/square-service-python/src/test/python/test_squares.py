import time
import unittest

from square_pb2 import Input

from square_service import squares
from square_service.settings import NO_FAULTS, Faults
from square_service.squares import Refused, Squares


class DelayedAnswers(unittest.TestCase):
    def setUp(self):
        self.squares = Squares("test", Faults(delay=3600))

    def test_are_dropped_when_those_that_wait_take_all_the_room(self):
        message = Input(number=3, payload=bytes(1 << 20)).SerializeToString()
        fit = squares.MOST_DELAYED // ((1 << 20) + squares.DELAYED_ANSWER)

        answers = [self.squares.answer(message)[0] for _ in range(fit + 2)]

        self.assertEqual([answer is not None for answer in answers], [True] * fit + [False] * 2)
        self.assertEqual(self.squares.counts()["dropped"], 2)
        self.assertEqual(self.squares.counts()["ok"], fit)

    def test_leave_their_room_to_others_when_they_were_sent_though_one_still_waits(self):
        self.squares.answer(Input(number=3).SerializeToString())
        message = Input(number=3, payload=bytes(squares.MOST_DELAYED - 2 * squares.DELAYED_ANSWER)).SerializeToString()
        self.squares.change({"delay": "1ns"})

        for _ in range(3):
            self.assertIsNotNone(self.squares.answer(message)[0])


class NoFaults(unittest.TestCase):
    def test_are_one_instance_which_a_request_recognises(self):
        self.assertIs(Squares("test", Faults()).faults, NO_FAULTS)


class Work(unittest.TestCase):
    def setUp(self):
        self.squares = Squares("test")

    def test_burns_on_its_thread_and_is_held_back_for_as_long_as_it_waits(self):
        message = Input(number=3, burn_micros=5_000, wait_micros=2_000).SerializeToString()
        for answer in (
            lambda: self.squares.answer(message),
            lambda: self.squares.answer_digits("3", "burn=5ms&wait=2ms"),
        ):
            before = time.thread_time()
            self.assertEqual(answer()[1], 0.002)
            self.assertGreaterEqual(time.thread_time() - before, 0.005)

    def test_burns_within_five_percent(self):
        spent = []
        for _ in range(99):
            before = time.thread_time_ns()
            squares.burn(200)
            spent.append(time.thread_time_ns() - before)
        self.assertAlmostEqual(sorted(spent)[49], 200_000, delta=10_000)

    def test_beyond_its_range_is_refused_with_the_range(self):
        for message, reason in (
            (Input(number=3, burn_micros=10_001), "burn must be 0us to 10ms"),
            (Input(number=3, wait_micros=1_000_001), "wait must be 0us to 1s"),
        ):
            with self.assertRaisesRegex(Refused, reason):
                self.squares.answer(message.SerializeToString())
        for query in ("burn=11ms", "wait=2s", "wait=", "wait=5", "burn=-1us", "burn=1m"):
            with self.assertRaisesRegex(Refused, "must be 0us to"):
                self.squares.answer_digits("3", query)
        self.assertEqual(self.squares.counts()["invalid"], 8)

    def test_is_none_unless_it_is_asked_for(self):
        self.assertEqual(self.squares.answer_digits("3", ""), ("9", 0))
        self.assertEqual(self.squares.answer_digits("3", "unknown=1"), ("9", 0))


if __name__ == "__main__":
    unittest.main()
