# Fails when a room includes what it must not know. ROOT: the checkout.
#   cmake -D ROOT=. -P tests/check_includes.cmake
# Rooms from the bottom up: messages <- engine <- {store, feeds} <- actors <- http <- app.

# forbid(ROOM PATTERN…): no source below ROOM includes what begins with a PATTERN, a regular expression.
function (forbid room)
  file(GLOB_RECURSE files ${ROOT}/${room}/*.hpp ${ROOT}/${room}/*.cpp)
  if (NOT files)
    message(SEND_ERROR "${room}: no sources here, so that a rule about it holds for nothing")
  endif ()
  list(JOIN ARGN "|" patterns)
  foreach (file ${files})
    file(STRINGS ${file} hits REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"](${patterns})")
    if (hits)
      message(SEND_ERROR "${file}: ${room} must not include ${hits}")
    endif ()
  endforeach ()
endfunction ()

# forbid_outside(PATTERN WHERE…): only sources whose paths begin with a WHERE include PATTERN.
function (forbid_outside pattern)
  list(JOIN ARGN "|" wheres)
  foreach (file ${sources})
    file(STRINGS ${file} hits REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"](${pattern})")
    file(RELATIVE_PATH path ${ROOT} ${file})
    if (hits AND NOT path MATCHES "^(${wheres})")
      message(SEND_ERROR "${path}: only ${ARGN} may include ${hits}")
    endif ()
  endforeach ()
endfunction ()

get_filename_component(ROOT ${ROOT} ABSOLUTE)
set(rooms messages engine store feeds actors http app)
foreach (room ${rooms})
  file(GLOB_RECURSE files ${ROOT}/${room}/*.hpp ${ROOT}/${room}/*.cpp)
  list(APPEND sources ${files})
endforeach ()

# What each room must not know: rooms above it and beside it, and libraries of other concerns.
forbid(messages/types caf/ pistache/ boost/ hiredis rapidjson/ sqlite3 nlopt curl/ spdlog/ toml CLI
  prometheus/ openssl/ zlib xxh engine/ store/ feeds/ actors/ http/ app/)
forbid(messages pistache/ boost/ hiredis rapidjson/ sqlite3 nlopt curl/ store/ feeds/ actors/ http/ app/)
forbid(engine caf/ pistache/ boost/ hiredis rapidjson/ sqlite3 curl/ spdlog/ messages/actors
  messages/type_ids store/ feeds/ actors/ http/ app/)
forbid(store caf/ pistache/ boost/ nlopt rapidjson/ curl/ spdlog/ messages/actors messages/type_ids
  feeds/ actors/ http/ app/)
forbid(feeds caf/ pistache/ boost/ hiredis sqlite3 nlopt spdlog/ messages/actors messages/type_ids
  store/ actors/ http/ app/)
forbid(actors pistache/ boost/ hiredis rapidjson/ sqlite3 nlopt curl/ http/ app/)
forbid(http hiredis sqlite3 nlopt curl/ spdlog/ feeds/ store/redis store/archive store/live
  store/sqlite app/)
forbid(app pistache/ boost/ hiredis sqlite3 nlopt curl/)

# Parts of a room.
forbid(engine/scoring engine/snapshot/ engine/allocation/ engine/route/ engine/gas/ engine/metrics/
  engine/basket/)
forbid(engine/rules engine/snapshot/ engine/allocation/ engine/route/ engine/gas/ engine/metrics/
  engine/basket/)
forbid(feeds/prober feeds/adapters/ feeds/source/ feeds/http/)
forbid(http/message engine/ store/ http/transport/ http/api/ http/codec/ http/openapi/ http/limits/
  http/pages/)
forbid(http/transport caf/ engine/ store/ http/api/ http/codec/ http/openapi/ http/limits/ http/pages/)
forbid(http/codec caf/ store/ http/transport/ http/api/ http/openapi/ http/limits/ http/pages/)
forbid(http/limits caf/ engine/ http/api/ http/codec/ http/openapi/ http/pages/)
forbid(http/api store/ http/limits/)
forbid(app/prober caf/ actors/ http/ store/ app/service/)
if (EXISTS ${ROOT}/http/pages)
  forbid(http/pages caf/ pistache/ store/ http/transport/ http/limits/)
endif ()

# Libraries that live behind one folder.
forbid_outside("pistache/" http/transport/)
forbid_outside("boost/" http/transport/)
forbid_outside("hiredis" store/redis/)
forbid_outside("sqlite3" store/sqlite/)
forbid_outside("nlopt" engine/allocation/)
forbid_outside("curl/" feeds/http/)
forbid_outside("rapidjson/" feeds/)
forbid_outside("prometheus/" app/metrics_page.cpp)
forbid_outside("toml" engine/rules/ engine/allocation/policy.cpp app/config/ app/service/assumptions.cpp)
forbid_outside("caf/" messages/ actors/ app/)

# caf/all.hpp costs seconds a unit, and Pistache's HTTP server is not what serves (docs/decisions).
foreach (room tests bench)
  file(GLOB_RECURSE files ${ROOT}/${room}/*.hpp ${ROOT}/${room}/*.cpp)
  list(APPEND sources ${files})
endforeach ()
forbid_outside("caf/all.hpp|pistache/endpoint.h" nowhere)
