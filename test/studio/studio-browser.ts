import { existsSync } from 'node:fs'
import { type Browser, firefox } from 'playwright-core'
import { noChromium, startChromium } from '../support/pages/chromium.ts'

/** Which browser the tests of the studio use: the project `firefox` runs the same files again in the other one. */
export const browserName: 'chromium' | 'firefox' = process.env['SLUICE_BROWSER'] === 'firefox' ? 'firefox' : 'chromium'

const firefoxPath = '/usr/bin/firefox-esr'
const noFirefox = existsSync(firefoxPath) ? undefined : `there is no ${firefoxPath}`

/** Why the tests of the studio cannot run; undefined when they can. The reason is printed. */
export const noBrowser: string | undefined = browserName === 'firefox' ? noFirefox : noChromium
if (browserName === 'firefox' && noFirefox)
  process.stdout.write(`tests of the studio in Firefox skipped: ${noFirefox}\n`)

/** Starts the browser without a window. It calls no address by itself. */
export function startBrowser(): Promise<Browser> {
  if (browserName === 'chromium') return startChromium()
  // Driven by WebDriver BiDi, which Debian's Firefox speaks as it is; the other protocol needs a Firefox of its own.
  return firefox.launch({ channel: 'moz-firefox', executablePath: firefoxPath, headless: true })
}
