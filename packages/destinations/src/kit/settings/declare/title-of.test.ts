import { expect, it } from 'vitest'
import { titleOf } from './title-of.ts'

const cases = [
  ['webhookUrl', 'Webhook URL'],
  ['siteID', 'Site ID'],
  ['apiKey', 'API key'],
  ['GDPRApiToken', 'GDPR API token'],
  ['useS3', 'Use S3'],
  ['event_name', 'Event name'],
  ['oauth', 'OAuth'],
  ['', ''],
] as const

for (const [name, title] of cases) it(`the label of "${name}" is "${title}"`, () => expect(titleOf(name)).toBe(title))
