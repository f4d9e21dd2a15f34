import type { CodeToTry } from '@sluice/transformations'
import fc from 'fast-check'
import { codeOf, type HostileProgram } from '../../abuse/programs.ts'

const values = fc.record({ type: fc.constant('track'), value: fc.jsonValue(), text: fc.string({ unit: 'binary' }) })
const bodies = [
  'return event',
  'return { ...event, again: structuredClone(event.value), text: event.text.normalize("NFD").toUpperCase() }',
  'return Object.keys(event.value ?? {}).map((key) => ({ type: "track", key, kind: typeof event.value[key] }))',
  'return event.value.map((each) => ({ each }))',
  'if (event.text.length % 2) return null; log(event); return JSON.parse(JSON.stringify(event))',
]

/** Random events, and one of a few functions for them: some pass, some drop events, some throw. */
export const randomCode: fc.Arbitrary<CodeToTry> = fc
  .record({ events: fc.array(values, { minLength: 1, maxLength: 20 }), body: fc.constantFrom(...bodies) })
  .map(({ events, body }) => ({
    name: 'random',
    code: `export function transformEvent(event) { ${body} }`,
    libraries: [],
    events: JSON.parse(JSON.stringify(events)),
  }))

/** A hostile program, with an event that makes it hostile between two that do not. */
export function hostileCode(program: HostileProgram): CodeToTry {
  const events = [
    { type: 'track', n: 1 },
    { type: 'track', evil: true },
    { type: 'track', n: 2 },
  ]
  return { name: 'hostile', code: codeOf(program), libraries: program.libraries ?? [], events }
}

/** Hostile programs that end by time, by memory or by the host's stack, whichever is first: that differs from run to run. */
export const varyingEnds = ['endless chain of promises', 'code nested deep', 'repeated string bomb', 'work left behind']
