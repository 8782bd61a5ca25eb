// Preloaded into a program, keeps every look-up of a host name waiting for ever, as a name server
// that does not answer does for many seconds. Numeric addresses need no server and pass.
#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** found) {
  const auto next = reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  addrinfo numeric = hints != nullptr ? *hints : addrinfo{};
  numeric.ai_flags |= AI_NUMERICHOST;
  const int error = next(node, service, &numeric, found);
  if (error != EAI_NONAME || (hints != nullptr && (hints->ai_flags & AI_NUMERICHOST) != 0))
    return error;
  for (;;)
    pause();
}
