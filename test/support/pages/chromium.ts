import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Why tests that need a browser cannot run; undefined when they can. The reason is printed. */
export const noChromium: string | undefined = existsSync(executablePath) ? undefined : `there is no ${executablePath}`
if (noChromium) process.stdout.write(`tests of SDKs in browsers skipped: ${noChromium}\n`)

/** Starts Chromium without a window. It calls no address by itself. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
