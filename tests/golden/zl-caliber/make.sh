# Sourced by cases: identity FOLDER KEY=VALUE… writes FOLDER/run_identity.json; the values replace
# those of a cell on an H200 under the graph timer.
identity() {
  local folder=$1
  shift
  mkdir -p "$folder"
  declare -A v=([timer]=graph [autotune_mode]=replay [tuner_cache]=isolated [direct_repeat]=1
    [uuid]=GPU-1 [index]=0 [triton]=3.6.0 [bench_level]=core)
  local pair
  for pair in "$@"; do v[${pair%%=*}]=${pair#*=}; done
  printf '{"schema":1,"tool_version":"0.1.0","op":"topk","provider":"flaggems","backend":"cuda",
"device":{"index":"%s","uuid":"%s","name":"H200"},"driver":"580.1","timer":"%s","bench_level":"%s",
"shape_mode":"upstream","tuner_cache":"%s","autotune_mode":"%s","direct_repeat":%s,
"libraries":{"triton":"%s"},"host":"h"}\n' "${v[index]}" "${v[uuid]}" "${v[timer]}" \
    "${v[bench_level]}" "${v[tuner_cache]}" "${v[autotune_mode]}" "${v[direct_repeat]}" \
    "${v[triton]}" >"$folder/run_identity.json"
}
