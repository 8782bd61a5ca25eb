#pragma once

#include <cstdint>
#include <string>
#include <thread>

namespace assay::test {

/// A TLS server on 127.0.0.1 with a self-signed certificate for `localhost`, made anew for every
/// instance. Answers every connection with one small JSON document.
class tls_server {
public:
  tls_server();
  ~tls_server();
  tls_server(const tls_server&) = delete;
  tls_server& operator=(const tls_server&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  /// The certificate as PEM: who trusts it can verify the server.
  const std::string& certificate() const noexcept { return certificate_; }

private:
  void run();

  void* context_ = nullptr;
  int listener_ = -1;
  int stop_ = -1;
  std::uint16_t port_ = 0;
  std::string certificate_;
  std::thread thread_;
};

} // namespace assay::test
