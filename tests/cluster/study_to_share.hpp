// The study that several share.
#pragma once

#include "plan/text_to_share.hpp"
#include "run/study_run_fixture.hpp"

namespace bellwether::test {

class SharedStudyTest : public StudyRunTest {
protected:
    SharedStudyTest() : StudyRunTest(text_to_share) {}
};

}  // namespace bellwether::test
