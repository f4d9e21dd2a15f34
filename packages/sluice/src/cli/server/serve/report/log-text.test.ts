import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logText } from './log-text.ts'

it('shows time, level, message and members of a log line, and the stack of an error, in plain characters', () => {
  let line = ''
  const log = pino(
    { name: 'sluice' },
    {
      write: (text: string) => {
        line = text
      },
    },
  )
  log.info({ port: 8080, host: '127.0.0.1', user: 'a b' }, 'serving')
  const shown = () => stripVTControlCharacters(logText(line))
  expect(shown()).toMatch(/^\d\d:\d\d:\d\d info serving {2}(?:hostname=\S+ )?port=8080 host=127\.0\.0\.1 user="a b"$/)
  const error = new Error('the disk\u001b[2J is full')
  log.error({ err: error }, 'stopped')
  expect(logText(line)).not.toContain('\u001b[2J')
  expect(shown()).toMatch(/ ERROR stopped.*\n {4}Error: the disk\ufffd\[2J is full\n {8}at /)
})
