#pragma once
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "arthron/model/load.hpp"

namespace arthron::test {

/// The published schema as an independent validator reads it.
class PublishedSchema {
 public:
  explicit PublishedSchema(const Registry& registry) {
    const nlohmann::json json = nlohmann::json::parse(model_schema(registry).dump());
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(json), schema_);
  }
  [[nodiscard]] bool accepts(const nlohmann::json& model) const { return valijson::Validator().validate(schema_, Adapter(model), nullptr); }

 private:
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  valijson::Schema schema_;
};

}  // namespace arthron::test
