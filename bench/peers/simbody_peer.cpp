#include "peer.hpp"
#include "simbody_system.hpp"

namespace arthron::peers {

namespace {

class SimbodyPeer final : public Peer {
 public:
  explicit SimbodyPeer(const Mechanism& mechanism) : simbody_(mechanism) {}

  [[nodiscard]] std::string name() const override { return "Simbody"; }
  [[nodiscard]] bool soft_loops() const override { return false; }

  void add(const Motion& motion) override {
    simbody_.go_to(motion);
    q_.push_back(simbody_.state().getQ());
    u_.push_back(simbody_.state().getU());
  }

  void evaluate(std::size_t state) override {
    simbody_.state().updQ() = q_[state];
    simbody_.state().updU() = u_[state];
    simbody_.system().realize(simbody_.state(), SimTK::Stage::Acceleration);
  }

  [[nodiscard]] std::vector<Acceleration> accelerations() override {
    std::vector<Acceleration> result;
    for (const SimTK::MobilizedBody& body : simbody_.bodies())
      result.push_back({vec(body.getBodyOriginAcceleration(simbody_.state())), vec(body.getBodyAngularAcceleration(simbody_.state()))});
    return result;
  }

 private:
  SimbodySystem simbody_;
  std::vector<SimTK::Vector> q_, u_;
};

}  // namespace

std::unique_ptr<Peer> make_simbody(const Mechanism& mechanism) { return std::make_unique<SimbodyPeer>(mechanism); }

}  // namespace arthron::peers
