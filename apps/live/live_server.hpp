#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace arthron::cli {

/// A message of a client, as it came.
struct LiveCommand {
  std::uint64_t client = 0;
  std::string text;
};

/// Bounds of what clients can take from the server.
struct LiveLimits {
  std::size_t clients = 64;                    // connections at a time, pages among them
  std::size_t frames = 8;                      // waiting for a client; the oldest are skipped
  std::size_t texts = 256;                     // waiting for a client; one that lets more wait is left
  std::size_t commands = 1024;                 // waiting for the simulation; more are refused
  std::size_t message_bytes = 4096;            // of a client's message
  std::size_t past_frames = 2000;              // kept for those who come later
  std::size_t past_bytes = 64'000'000;         // of them
  std::chrono::milliseconds patience{10'000};  // with a request or handshake
  std::chrono::milliseconds idle{30'000};      // without a sign of life
};

/// Shows a simulation to web browsers on this machine: a page over HTTP and, at /socket, frames and messages over WebSockets.
///
/// One thread of its own serves all clients. The functions here never wait for a client, and what a client can make the server keep is
/// bounded. Only this machine is served: the server listens on 127.0.0.1, wants this address in `Host`, so that no other name can
/// be made to lead here, and opens sockets only for pages that came from it (`Origin`).
class LiveServer {
 public:
  /// Port 0 takes any that is free. Throws ModelError naming `option` for one that cannot be had.
  LiveServer(int port, const std::string& option, const LiveLimits& limits = {});
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  /// Says goodbye to all clients; those that do not answer at once are left.
  ~LiveServer();

  [[nodiscard]] int port() const;
  /// http://127.0.0.1:PORT/
  [[nodiscard]] std::string url() const;
  /// Open sockets.
  [[nodiscard]] std::size_t clients() const;

  /// The page of all requests from now on.
  void set_page(std::string page);
  /// A binary message to all, also to those who come later, thinned out the more there are.
  void publish_frame(std::string bytes);
  /// No frame so far is sent any more.
  void forget_frames();
  /// A text to all.
  void publish_text(std::string text);
  /// A text to all and to those who come later, in place of the one before under the same name.
  void publish_state(const std::string& name, std::string text);
  /// A text to one client, if it is still there.
  void tell(std::uint64_t client, std::string text);

  /// What clients have sent since the last call; waits for it as long as told, and not at all by default.
  [[nodiscard]] std::vector<LiveCommand> take_commands(std::chrono::steady_clock::duration wait = {});

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace arthron::cli
