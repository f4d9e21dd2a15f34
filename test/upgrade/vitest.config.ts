import { defineConfig } from 'vitest/config'
import base, { shared, test } from '../vitest.config.ts'

/** Takes minutes and builds another release, so it is a command of its own. */
export default defineConfig({
  ...base,
  test: {
    reporters: base.test?.reporters ?? [],
    projects: [{ ...shared, test: { ...test, name: 'upgrade', include: ['test/upgrade/rolling-upgrade.ts'] } }],
  },
})
