import { defineConfig } from 'vitest/config'

export default defineConfig({
  // For busy machines: a test takes milliseconds, and vitest gives up after 5 s by default.
  test: { testTimeout: 30_000 },
})
