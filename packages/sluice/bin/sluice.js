#!/usr/bin/env node
// Committed, so that the command can be linked before the first build.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleFolder, bundleIsUsable } from '../dist/cli/bundle-is-usable.js'

if (bundleIsUsable(bundleFolder)) {
  // From Node 22.1 on. Beside the code, because only a user who can change the code itself can write there. For all
  // others nothing is kept.
  module.enableCompileCache?.(fileURLToPath(new URL('compile-cache', bundleFolder)))
  await import(new URL('main.js', bundleFolder).href)
} else await import('../dist/cli/main.js')
