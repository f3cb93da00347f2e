{{/* Labels that select the pods of a process: (list $ name). The name is that of the process in /transports. */}}
{{- define "chatterbox.selector" -}}
app.kubernetes.io/part-of: chatterbox
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/name: {{ index . 1 }}
{{- end -}}

{{/* All labels: (list $ name role). A role is requester, responder, broker or load-generator. */}}
{{- define "chatterbox.labels" -}}
{{ include "chatterbox.selector" . }}
app.kubernetes.io/component: {{ index . 2 }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{/* An image of ours: (list $ name). */}}
{{- define "chatterbox.image" -}}
{{- with (index . 0) -}}
image: {{ .Values.image.prefix }}{{ index $ 1 }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}
{{- end -}}

{{/* Environment variables from a dict; a value is text or {secretKeyRef: …}. */}}
{{- define "chatterbox.environment" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  {{- if kindIs "map" $value }}
  valueFrom: {{ toJson $value }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Where spans go. */}}
{{- define "chatterbox.traces" -}}
{{- if and (gt (float64 .Values.traces.share) 0.0) (not .Values.traces.endpoint) }}
{{- fail "traces.share needs traces.endpoint, such as http://jaeger-collector.observability:4318" }}
{{- end }}
{{- with .Values.traces.endpoint -}}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
{{- end }}
{{- end -}}

{{/* How every pod runs: (list $ name role user). */}}
{{- define "chatterbox.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- if not (index . 0).Values.openshift }}
  runAsUser: {{ index . 3 }}
  runAsGroup: {{ index . 3 }}
  fsGroup: {{ index . 3 }}
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- with (index . 0).Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "chatterbox.selector" . | nindent 8 }}
{{- end -}}

{{/* What a process may do in its container. */}}
{{- define "chatterbox.confined" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
{{- end -}}

{{/*
Probes of a container: (list health alive port). Its health may depend on a broker, and then clients should not use it.
But only a process that does not answer at all is ended. It may take a minute and a half to start on a busy node.
*/}}
{{- define "chatterbox.probes" -}}
startupProbe:
  httpGet: &alive {path: {{ index . 1 }}, port: {{ index . 2 }}}
  periodSeconds: 1
  timeoutSeconds: 2
  # Twenty JVMs that start at once on two processors take minutes; killed meanwhile, they never get ready.
  failureThreshold: 600
livenessProbe:
  httpGet: *alive
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: {{ index . 0 }}, port: {{ index . 2 }}}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 3
{{- end -}}

{{/* A budget for evictions: one pod at a time. (list $ name role) */}}
{{- define "chatterbox.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ index . 1 }}
  labels:
    {{- include "chatterbox.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "chatterbox.selector" . | nindent 6 }}
{{- end -}}
