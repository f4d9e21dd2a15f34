import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const texts = [
  '2026-02-03T04:05:06',
  '2026-02-03 04:05',
  '2026-02-03',
  '2026-02-30T00:00:00',
  '2026/02/03',
  'December 17, 1995 03:24:00',
  'Tue, 03 Feb 2026 04:05:06 GMT',
  'Tue Mar 01 2022 00:00:00 GMT+0100 (CET)',
  '2026-02-03T04:05:06+05:45',
]

it('reads times in the same way whatever the time zone of the process is', () => {
  const built = fileURLToPath(new URL('../../../dist/kit/convert/time.js', import.meta.url))
  const program = `
    const { isoDate, instant } = await import(${JSON.stringify(built)})
    console.log(JSON.stringify(${JSON.stringify(texts)}.map((text) => [isoDate(text), instant(text)])))`
  const [utc, ...others] = ['UTC', 'America/New_York', 'Asia/Kathmandu'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    }),
  )
  expect(utc).toContain('2026-02-03T04:05:06.000Z')
  for (const other of others) expect(other).toBe(utc)
})
