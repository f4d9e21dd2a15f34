import { defineConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/** Takes minutes and builds another release, so it is a command of its own. */
export default defineConfig({ ...base, test: { ...base.test, include: ['test/upgrade/rolling-upgrade.ts'] } })
