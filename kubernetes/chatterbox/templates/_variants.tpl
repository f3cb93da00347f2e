{{/*
What the chart knows of variants, responders and brokers comes from variants/*.properties and from the responder.properties of
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

{{/* The chosen variants by name, each with the settings that it inherits from its transport's variant. */}}
{{- define "chatterbox.variants" -}}
{{- $files := dict -}}
{{- range $path, $text := .Files.Glob "files/variants/*.properties" -}}
  {{- $_ := set $files (base $path | trimSuffix ".properties") (include "chatterbox.properties" (toString $text) | fromJson) -}}
{{- end -}}
{{- range .Values.variants -}}
  {{- if not (or (eq . "all") (hasKey $files .)) -}}
    {{- fail (printf "variants: there is no variant %s. There are: all, %s" . (keys $files | sortAlpha | join ", ")) -}}
  {{- end -}}
{{- end -}}
{{- $variants := dict -}}
{{- range $name, $own := $files -}}
  {{- $variant := deepCopy $own -}}
  {{- if ne $own.transport $name -}}
    {{- /* Not by merge, which takes an empty value for none; here it says that the variant has no such setting. */ -}}
    {{- range $key, $value := omit (get $files $own.transport) "about" "group" -}}
      {{- if not (hasKey $variant $key) -}}
        {{- $_ := set $variant $key $value -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
  {{- range $key, $value := $variant -}}
    {{- if eq $value "" -}}
      {{- $_ := unset $variant $key -}}
    {{- end -}}
  {{- end -}}
  {{- $group := $variant.group | default "all" -}}
  {{- $isDefault := and (not $.Values.variants) (eq $group "default") -}}
  {{- $isAll := and (has "all" $.Values.variants) (has $group (list "default" "all")) -}}
  {{- if or $isDefault $isAll (has $name $.Values.variants) -}}
    {{- $_ := set $variants $name $variant -}}
  {{- end -}}
{{- end -}}
{{- toJson $variants -}}
{{- end -}}

{{/* The responder processes of the chosen variants by name: program, ports by role, environment, paths, values. */}}
{{- define "chatterbox.responders" -}}
{{- $responders := dict -}}
{{- range $variantName, $variant := include "chatterbox.variants" . | fromJson -}}
  {{- if $variant.responder -}}
    {{- $folder := base $variant.responder -}}
    {{- $name := get $variant "responder.name" | default $folder -}}
    {{- $text := $.Files.Get (printf "files/programs/%s.properties" $folder) -}}
    {{- if not $text -}}
      {{- fail (printf "variant %s: files/programs/%s.properties must be a link to %s/responder.properties" $variantName $folder $variant.responder) -}}
    {{- end -}}
    {{- $program := include "chatterbox.properties" $text | fromJson -}}
    {{- $ports := dict -}}
    {{- $environment := dict -}}
    {{- $known := dict "${name}" $name -}}
    {{- range $key, $value := merge (dict) $variant $program -}}
      {{- $own := trimPrefix "responder." $key -}}
      {{- if hasPrefix "port." $own -}}
        {{- $port := get $variant (printf "responder.%s" $own) | default (get $program $own) -}}
        {{- $_ := set $ports (trimPrefix "port." $own) (int $port) -}}
        {{- $_ := set $known (printf "${%s}" $own) $port -}}
      {{- else if hasPrefix "address." $key -}}
        {{- $_ := set $known (printf "${%s}" $key) $value -}}
      {{- else if hasPrefix "env." $own -}}
        {{- $_ := set $environment (trimPrefix "env." $own) (get $variant (printf "responder.%s" $own) | default (get $program $own)) -}}
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
          "metrics" $program.metrics "broker" ($variant.broker | default "") "values" $values) -}}
  {{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.responders.named -}}
  {{- if not (hasKey $responders $name) -}}
    {{- fail (printf "responders.named: %s is no responder of the chosen variants. These are: %s" $name (keys $responders | sortAlpha | join ", ")) -}}
  {{- end -}}
{{- end -}}
{{- toJson $responders -}}
{{- end -}}

{{/* The brokers of the chosen variants by name, with their values. */}}
{{- define "chatterbox.brokers" -}}
{{- $brokers := dict -}}
{{- range $name, $variant := include "chatterbox.variants" . | fromJson -}}
  {{- with $variant.broker -}}
    {{- $values := get $.Values.brokers . | default dict -}}
    {{- if not $values.environment -}}
      {{- fail (printf "brokers: the variant %s needs brokers.%s.environment, where its broker's address stands" $name .) -}}
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
{{- range include "chatterbox.variants" . | fromJson -}}
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
