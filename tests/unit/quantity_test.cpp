#include "backends/quantity.hpp"

#include <boost/test/unit_test.hpp>

using zl::backends::known_text;
using zl::backends::pci_address;
using zl::backends::Unit;

BOOST_AUTO_TEST_SUITE(quantity)

BOOST_AUTO_TEST_CASE(numbers_with_their_units) {
  BOOST_TEST(zl::backends::quantity(" 345 MHz ", Unit::clock).value() == 345);
  BOOST_TEST(zl::backends::quantity("(800Mhz)", Unit::clock).value() == 800);
  BOOST_TEST(zl::backends::quantity("1650", Unit::clock).value() == 1650);
  BOOST_TEST(zl::backends::quantity("477.68W", Unit::power).value() == 477.68);
  BOOST_TEST(zl::backends::quantity("97400 mW", Unit::power).value() == 97.4,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(zl::backends::quantity("36C", Unit::temperature).value() == 36);
  BOOST_TEST(zl::backends::quantity("36\xc2\xb0"
                                    "C",
                                    Unit::temperature)
                 .value() == 36);
  BOOST_TEST(zl::backends::quantity("-5", Unit::temperature).value() == -5);
  BOOST_TEST(zl::backends::quantity("8 %", Unit::share).value() == 8);
  BOOST_TEST(zl::backends::quantity("48GiB", Unit::memory).value() == 49152);
  BOOST_TEST(zl::backends::quantity("81920MiB", Unit::memory).value() == 81920);
}

BOOST_AUTO_TEST_CASE(whatever_else_comes_is_nothing) {
  for (const char* text : {"",
                           " ",
                           "[N/A]",
                           "N/A",
                           "NA",
                           "-",
                           "[Not Supported]",
                           "[Unknown Error]",
                           "[GPU is lost]",
                           "[GPU requires reset]",
                           "ERR!",
                           "[Insufficient Permissions]",
                           "[Function Not Found]",
                           "[Requested functionality has been deprecated]",
                           "nan",
                           "inf",
                           "0x10",
                           "1,5",
                           "MHz",
                           "()",
                           "12 apples",
                           "12 W W",
                           "--",
                           "1e",
                           "N/A (Secondary die)",
                           "None",
                           "Unsupported"})
    for (const auto unit : {Unit::clock, Unit::power, Unit::temperature, Unit::share, Unit::memory})
      BOOST_TEST(!zl::backends::quantity(text, unit).has_value(), text);
  BOOST_TEST(!zl::backends::quantity("100 W", Unit::clock).has_value());
  BOOST_TEST(!zl::backends::quantity("-3 MHz", Unit::clock).has_value());
}

BOOST_AUTO_TEST_CASE(texts_and_addresses) {
  BOOST_TEST(known_text(" N/A ") == "");
  BOOST_TEST(known_text("[N/A]") == "");
  BOOST_TEST(known_text(" MTT S5000 ") == "MTT S5000");
  BOOST_TEST(pci_address("00000000:3B:00.0") == "0000:3b:00.0");
  BOOST_TEST(pci_address("0000:3b:00.0") == "0000:3b:00.0");
  BOOST_TEST(pci_address("00010000:3b:00.0") == "10000:3b:00.0");
  BOOST_TEST(pci_address("3b:00.0") == "0000:3b:00.0");
  for (const char* text : {"", "N/A", "0", "x:y", ":", "a:b:c:d", "GPU-1:2"})
    BOOST_TEST(pci_address(text) == "", text);
}

BOOST_AUTO_TEST_SUITE_END()
