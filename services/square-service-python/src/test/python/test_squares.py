import unittest

from square_pb2 import Input

from square_service import squares
from square_service.settings import Faults
from square_service.squares import Squares


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

    def test_leave_their_room_to_others_when_they_were_sent(self):
        message = Input(number=3, payload=bytes(squares.MOST_DELAYED - squares.DELAYED_ANSWER)).SerializeToString()
        self.squares.change({"delay": "1ns"})

        for _ in range(3):
            self.assertIsNotNone(self.squares.answer(message)[0])


if __name__ == "__main__":
    unittest.main()
