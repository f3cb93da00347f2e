{{/*
What the chart knows of rows, responders and brokers comes from rows/*.properties and from the responder.properties of
each responder's program, which files/ links to. There is no second list. A template can only give text, so these give
JSON.
*/}}

{{/* The text of a properties file as a dict. */}}
{{- define "chatterbox.properties" -}}
{{- $found := dict -}}
{{- range splitList "\n" . -}}
  {{- if and (contains "=" .) (not (hasPrefix "#" .)) -}}
    {{- $parts := splitn "=" 2 . -}}
    {{- $_ := set $found (trim $parts._0) (trim $parts._1) -}}
  {{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{/* The chosen rows by name, each with the settings that it inherits from its transport's row. */}}
{{- define "chatterbox.rows" -}}
{{- $files := dict -}}
{{- range $path, $text := .Files.Glob "files/rows/*.properties" -}}
  {{- $_ := set $files (base $path | trimSuffix ".properties") (include "chatterbox.properties" (toString $text) | fromJson) -}}
{{- end -}}
{{- range .Values.rows -}}
  {{- if not (or (eq . "all") (hasKey $files .)) -}}
    {{- fail (printf "rows: there is no row %s. There are: all, %s" . (keys $files | sortAlpha | join ", ")) -}}
  {{- end -}}
{{- end -}}
{{- $rows := dict -}}
{{- range $name, $own := $files -}}
  {{- $row := deepCopy $own -}}
  {{- if ne $own.transport $name -}}
    {{- $row = merge $row (omit (get $files $own.transport) "about" "group") -}}
  {{- end -}}
  {{- $group := $row.group | default "all" -}}
  {{- $isDefault := and (not $.Values.rows) (eq $group "default") -}}
  {{- $isAll := and (has "all" $.Values.rows) (has $group (list "default" "all")) -}}
  {{- if or $isDefault $isAll (has $name $.Values.rows) -}}
    {{- $_ := set $rows $name $row -}}
  {{- end -}}
{{- end -}}
{{- toJson $rows -}}
{{- end -}}

{{/* The responder processes of the chosen rows by name: program, ports by role, environment, paths, values. */}}
{{- define "chatterbox.responders" -}}
{{- $responders := dict -}}
{{- range $rowName, $row := include "chatterbox.rows" . | fromJson -}}
  {{- if $row.responder -}}
    {{- $folder := base $row.responder -}}
    {{- $name := get $row "responder.name" | default $folder -}}
    {{- $text := $.Files.Get (printf "files/programs/%s.properties" $folder) -}}
    {{- if not $text -}}
      {{- fail (printf "row %s: files/programs/%s.properties must be a link to %s/responder.properties" $rowName $folder $row.responder) -}}
    {{- end -}}
    {{- $program := include "chatterbox.properties" $text | fromJson -}}
    {{- $ports := dict -}}
    {{- $environment := dict -}}
    {{- $known := dict "${name}" $name -}}
    {{- range $key, $value := merge (dict) $row $program -}}
      {{- $own := trimPrefix "responder." $key -}}
      {{- if hasPrefix "port." $own -}}
        {{- $port := get $row (printf "responder.%s" $own) | default (get $program $own) -}}
        {{- $_ := set $ports (trimPrefix "port." $own) (int $port) -}}
        {{- $_ := set $known (printf "${%s}" $own) $port -}}
      {{- else if hasPrefix "address." $key -}}
        {{- $_ := set $known (printf "${%s}" $key) $value -}}
      {{- else if hasPrefix "env." $own -}}
        {{- $_ := set $environment (trimPrefix "env." $own) (get $row (printf "responder.%s" $own) | default (get $program $own)) -}}
      {{- end -}}
    {{- end -}}
    {{- range $variable, $value := $environment -}}
      {{- range $placeholder, $meaning := $known -}}
        {{- $value = replace $placeholder $meaning $value -}}
      {{- end -}}
      {{- $_ := set $environment $variable $value -}}
    {{- end -}}
    {{- $_ := set $environment "CHATTERBOX_RESPONDER" $name -}}
    {{- $values := mergeOverwrite (omit $.Values.responders "named" | deepCopy) (get $.Values.responders.named $name | default dict) -}}
    {{- $_ := set $responders $name (dict "program" $folder "ports" $ports "environment" $environment "health" $program.health
          "metrics" $program.metrics "broker" ($row.broker | default "") "values" $values) -}}
  {{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.responders.named -}}
  {{- if not (hasKey $responders $name) -}}
    {{- fail (printf "responders.named: %s is no responder of the chosen rows. These are: %s" $name (keys $responders | sortAlpha | join ", ")) -}}
  {{- end -}}
{{- end -}}
{{- toJson $responders -}}
{{- end -}}

{{/* The brokers of the chosen rows by name, with their values. */}}
{{- define "chatterbox.brokers" -}}
{{- $brokers := dict -}}
{{- range $name, $row := include "chatterbox.rows" . | fromJson -}}
  {{- with $row.broker -}}
    {{- $values := get $.Values.brokers . | default dict -}}
    {{- if not $values.environment -}}
      {{- fail (printf "brokers: the row %s needs brokers.%s.environment, where its broker's address stands" $name .) -}}
    {{- end -}}
    {{- $_ := set $brokers . $values -}}
  {{- end -}}
{{- end -}}
{{- toJson $brokers -}}
{{- end -}}

{{/* The addresses of brokers and of direct responders by variable; every service gets all of them. */}}
{{- define "chatterbox.addresses" -}}
{{- $addresses := dict -}}
{{- range include "chatterbox.brokers" . | fromJson -}}
  {{- $addresses = merge $addresses .environment -}}
{{- end -}}
{{- $responders := include "chatterbox.responders" . | fromJson -}}
{{- range include "chatterbox.rows" . | fromJson -}}
  {{- if .responder -}}
    {{- $name := get . "responder.name" | default (base .responder) -}}
    {{- $responder := get $responders $name -}}
    {{- range $key, $value := . -}}
      {{- if hasPrefix "aggregator.env." $key -}}
        {{- range $role, $port := $responder.ports -}}
          {{- $value = replace (printf "${port.%s}" $role) (toString $port) $value -}}
        {{- end -}}
        {{- $_ := set $addresses (trimPrefix "aggregator.env." $key) (regexReplaceAll "localhost|127\\.0\\.0\\.1" $value $name) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toJson $addresses -}}
{{- end -}}
