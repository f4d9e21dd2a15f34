#!/usr/bin/env node
// Committed, so that the command can be linked before the first build.
import '../dist/cli/main.js'
