import { stripVTControlCharacters } from 'node:util'
import { createOfflineRunner, type OfflineRunner, ProjectError } from '@sluice/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReplSession } from './repl-session.ts'

let runner: OfflineRunner
let code = ''
const says = (word: string): string =>
  `export const transformEvent = (event) => { log('saw', event.event); if (event.event === 'b') throw new Error('no b'); return event.event === 'c' ? null : { ${word}: event.event } }`
beforeAll(async () => {
  runner = await createOfflineRunner()
})
afterAll(() => runner.close())

/** Without colours and times. */
async function said(...lines: string[]): Promise<string> {
  return stripVTControlCharacters(await written(...lines)).replaceAll(/\d+\.\d ms/g, 'N ms')
}

async function written(...lines: string[]): Promise<string> {
  const texts: string[] = []
  const events = [
    { type: 'track', event: 'first' },
    { type: 'track', event: 'b' },
  ]
  const load = async () => ({ name: 'code', code })
  const session = new ReplSession({ runner, load, events, write: (text) => texts.push(text) })
  for (const line of lines) if (!(await session.take(line))) texts.push('the end')
  return texts.join('\n')
}

it('runs an event that is typed, with log and time', async () => {
  code = says('one')
  expect(await said('{"type":"track","event":"a"}')).toBe('log: saw a\n{\n  "one": "a"\n}\nN ms')
  expect(await said("{type: track, event: 'a'}")).toContain('"one": "a"')
})
it('accepts an event over several lines; an empty line ends it', async () => {
  expect(await said('{"type":', ' "track", "event": "{" ', '}')).toContain('"one": "{"')
  expect(await said('{"type":', '', 'exit')).toBe('{"type":: neither an event nor a command; type help\nthe end')
})
it('runs an event of the file by its number', async () => {
  expect(await said('1')).toContain('"one": "first"')
  expect(await said('2')).toMatch(/Error: no b\n {4}at transformEvent \(code:1:\d+\)/)
  expect(await said('3')).toBe('there is no event 3; there are 2')
  expect(await said('list')).toBe('    1  {"type":"track","event":"first"}\n    2  {"type":"track","event":"b"}')
  expect(await said('list third')).toBe('none of 2 events contains this')
  expect(await said('list FIRST')).toBe('    1  {"type":"track","event":"first"}')
})
it('shows a dropped event, and code that does not load', async () => {
  expect(await said('{"event":"c"}')).toContain('dropped: transformation returned nothing')
  code = 'export const transformEvent = ('
  expect(await said('1')).toMatch(/^SyntaxError: .*\[code:1:/)
})
it('continues when the code is briefly missing, as between the two steps of a save', async () => {
  const texts: string[] = []
  const load = async () => {
    throw new ProjectError('transformations/code.js: not there')
  }
  const session = new ReplSession({ runner, load, events: [], write: (text) => texts.push(text) })
  expect(await session.take('{"event":"a"}')).toBe(true)
  expect(texts.map(stripVTControlCharacters)).toEqual(['transformations/code.js: not there'])
})
it('runs the last event again with the current code', async () => {
  code = says('one')
  const texts: string[] = []
  const load = async () => ({ name: 'code', code })
  const session = new ReplSession({ runner, load, events: [], write: (text) => texts.push(text) })
  await session.again()
  await session.take('{"event":"a"}')
  code = says('two')
  await session.again()
  expect(texts[0]).toBe('no event yet')
  expect(texts[1]).toContain('"one": "a"')
  expect(texts[2]).toContain('"two": "a"')
})
it('replaces control characters in events', async () => {
  code = says('one')
  expect(await written('{"event":"\\u001b[2J"}')).not.toContain('\u001b[2J')
})
