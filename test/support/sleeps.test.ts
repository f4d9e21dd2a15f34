import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, testFiles } from './texts/test-files.ts'

/** Most calls of `pause` in all tests. The number only shrinks. */
const pausesMax = 16
/** Shortest time that counts as sleeping, in milliseconds. Less lets the turn of a server pass. */
const sleepMs = 50

/** Long timers that are no sleeps of a test. The list only shrinks: an entry that matches nothing any more fails. */
const known: Readonly<Record<string, readonly string[]>> = {
  'in the code of a definition, which must outlast its time': [
    'test/segment-actions/sending.test.ts: setTimeout(resolve, 150)',
  ],
  'in a page, which reports when its address has stopped changing': [
    'test/studio/playground.test.ts: setTimeout(() => done(location.hash === seen), 500)',
  ],
  'limits, which nothing reaches that works': [
    "test/page-blocks/programs.ts: setTimeout(() => child.kill('SIGKILL'), 5_000)",
    'test/support/brokers/broker.ts: setTimeout(() => socket.destroy(), 1_000)',
    'test/support/processes/data-plane-program.ts: setTimeout(resolve, 60_000)',
  ],
  'longer than a connection may be silent, which is the question': [
    'packages/sluice/src/cli/server/serve/listen/listen.system.test.ts: setTimeout(resolve, 600)',
  ],
  'longer than it takes until the check begins that must not happen': [
    'packages/storage/src/sqlite/recovery/unclean-shutdown.system.test.ts: setTimeout(resolve, 1_500)',
  ],
  'between two looks at a server of another package manager': ['test/release/steps/next.ts: wait(200)'],
}

/** Timers whose time is written beside them, and sleeps of the names that tests give them. */
const timers = /\b(?:setTimeout|sleep|wait|delay)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?\b(\d[\d_]*)\)/g

const files = testFiles().filter((file) => !/sleeps\.test|projects\.test/.test(file))

describe('sleeps of tests', () => {
  const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

  it(`are at most ${pausesMax}, each with its reason`, () => {
    const calls = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/\bpause\((?!\))/g)].flatMap(({ index }) => {
        const line = text.slice(text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index))
        return /function pause|^ *(?:\*|\/\/)|const pause/.test(line) ? [] : [`${file}: ${line.trim()}`]
      }),
    )
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(pausesMax)
  })

  it(`are calls of pause when they last ${sleepMs} ms or longer`, () => {
    const long = texts.flatMap(({ file, text }) =>
      [...text.matchAll(timers)]
        .filter(([call, ms]) => Number(ms?.replaceAll('_', '')) >= sleepMs && !/ref: false|\bstate\b/.test(call))
        .map(([call]) => ({ file, call })),
    )
    const found = new Set(long.map(({ file, call }) => `${file}: ${call}`))
    expect([...found].sort()).toEqual(Object.values(known).flat().sort())
  })

  it('are not needed to wait for something: tests of this folder do that with eventually alone', () => {
    const own = texts.filter(({ file, text }) => file.startsWith('test/') && /\bexpect\s*\.poll\(/.test(text))
    expect(own.map(({ file }) => file)).toEqual(['test/support/eventually.ts'])
  })
})
