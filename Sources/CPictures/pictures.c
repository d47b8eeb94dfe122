#include "pictures.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char common[] = {
#embed "common.py"
};
static const unsigned char history[] = {
#embed "history.py"
};
static const unsigned char recall[] = {
#embed "recall.py"
};
static const unsigned char replay[] = {
#embed "replay.py"
};
static const unsigned char tuning[] = {
#embed "tuning.py"
};

const struct picture_module picture_common = {"common", common, sizeof common};
const struct picture_module picture_history = {"history", history, sizeof history};
const struct picture_module picture_recall = {"recall", recall, sizeof recall};
const struct picture_module picture_replay = {"replay", replay, sizeof replay};
const struct picture_module picture_tuning = {"tuning", tuning, sizeof tuning};
