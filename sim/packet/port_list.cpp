// Names and shapes of the ports of a table.
#include "sim/packet/port_list.hpp"

#include <string>
#include <utility>

namespace weft {

std::string port_name(std::string row, const char* field) {
  const auto star = row.find('*');
  return star == std::string::npos ? row : row.replace(star, 1, field);
}

std::vector<PortShape> port_shapes(const PortList& list, const void* config) {
  std::vector<PortShape> shapes;
  for (const PortRow& row : list) {
    const unsigned count = row.count(config);
    if (row.fields.front().width(config) == 0) continue;
    for (const PortRow::Field& field : row.fields) {
      shapes.push_back({port_name(row.name, field.name), count * field.width(config), row.input,
                        row.role, row.used(config)});
    }
  }
  return shapes;
}

}  // namespace weft
