#include "tests/feeds/http/tls_server.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay::test {

namespace {

struct identity {
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
};

identity make_identity() {
  identity result{EVP_EC_gen("P-256"), X509_new()};
  auto* x = result.certificate;
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_set_version(x, 2);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, result.key);
  auto* name = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(x, name);
  auto* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
  X509_add_ext(x, names, -1);
  X509_EXTENSION_free(names);
  if (X509_sign(x, result.key, EVP_sha256()) == 0)
    throw std::runtime_error{"cannot sign a certificate"};
  return result;
}

std::string pem_of(X509* certificate) {
  auto* memory = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(memory, certificate);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(memory, &data);
  std::string result{data, static_cast<std::size_t>(size)};
  BIO_free(memory);
  return result;
}

} // namespace

tls_server::tls_server() {
  auto* context = SSL_CTX_new(TLS_server_method());
  const auto id = make_identity();
  SSL_CTX_use_certificate(context, id.certificate);
  SSL_CTX_use_PrivateKey(context, id.key);
  certificate_ = pem_of(id.certificate);
  X509_free(id.certificate);
  EVP_PKEY_free(id.key);
  context_ = context;

  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener_, 8) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error{"cannot listen on 127.0.0.1"};
  port_ = ntohs(address.sin_port);
  thread_ = std::thread{[this] { run(); }};
}

tls_server::~tls_server() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_, &one, sizeof one);
  thread_.join();
  ::close(listener_);
  ::close(stop_);
  SSL_CTX_free(static_cast<SSL_CTX*>(context_));
}

void tls_server::run() {
  // A client that refuses the certificate is gone before the alert is written.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  while (true) {
    pollfd watched[] = {{listener_, POLLIN, 0}, {stop_, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0 || (watched[1].revents & POLLIN) != 0)
      return;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    auto* tls = SSL_new(static_cast<SSL_CTX*>(context_));
    SSL_set_fd(tls, fd);
    char buffer[4096];
    if (SSL_accept(tls) == 1 && SSL_read(tls, buffer, sizeof buffer) > 0) {
      constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                          "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
      SSL_write(tls, answer.data(), static_cast<int>(answer.size()));
      SSL_shutdown(tls);
    }
    SSL_free(tls);
    ::close(fd);
  }
}

} // namespace assay::test
