import { drop, type Event, pass } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createModuleSet } from './code/module-set.ts'
import { textCrossing } from './crossing/text-crossing.ts'
import { nothingReturned } from './program.ts'
import { type CompiledProgram, runProgram } from './program-run.ts'
import { defaultSandboxLimits } from './sandbox-limits.ts'
import type { BatchPart, BatchReply } from './vm/batch-request.ts'
import type { EntryPoint } from './vm/load-modules.ts'

const live = new AbortController().signal
const event = (n: number): Event => ({ n })
const inputs = [0, 1, 2].map((n) => ({ event: event(n), metadata: {} }))
const unreadable = (entry: EntryPoint) => ({
  kind: 'fail',
  error: { code: 'transform.output', message: expect.stringContaining(entry) },
})

/** An answer of a guest, with the index it was given for. */
interface Answer {
  readonly for: number
  readonly says: unknown
}
const returned = (index: number, ...outputs: unknown[]): Answer => ({ for: index, says: [index, '', 0, ...outputs] })

/** Runs three events on a machine that gives these answers, each as a separate part. */
async function outcomesOf(answers: readonly Answer[], entry: EntryPoint = 'transformEvent') {
  const encoder = textCrossing.createEncoder()
  const parts: BatchPart[] = answers.map((answer) => {
    const start = encoder.length
    encoder.append(answer.says)
    return {
      indexes: [answer.for],
      isList: false,
      start,
      end: encoder.length,
      isFull: false,
      weight: encoder.length - start,
    }
  })
  const reply: BatchReply = { bytes: encoder.take(), parts, failures: [], again: [], spentMs: 0, hostCalls: 0 }
  const program: CompiledProgram = {
    modules: createModuleSet({ name: 't', code: '', libraries: [] }),
    entry,
    usesMetadata: false,
    log: '',
    eager: false,
  }
  const run = await runProgram(inputs, live, program, {
    isolation: 'batch',
    limits: defaultSandboxLimits,
    encoder: textCrossing.createEncoder(),
    decoder: textCrossing.createDecoder(),
    execute: async () => reply,
  })
  return run.outcomes
}

describe('an answer of a broken guest', () => {
  const rest = [returned(1, event(1)), returned(2)]
  const whole = [pass(event(1)), drop(nothingReturned)]
  const cases: readonly { name: string; answers: readonly Answer[]; want: readonly unknown[] }[] = [
    { name: 'fails an event without an answer', answers: rest, want: [unreadable('transformEvent'), ...whole] },
    {
      name: 'fails an event that has only a log',
      answers: [{ for: 0, says: [0, '"line"', 2] }, ...rest],
      want: [unreadable('transformEvent'), ...whole],
    },
    {
      name: 'fails an event with a malformed answer',
      answers: [{ for: 0, says: ['zz', 7] }, ...rest],
      want: [unreadable('transformEvent'), ...whole],
    },
    {
      name: 'is ignored for events that are not pending',
      answers: [
        returned(0, event(0)),
        ...[3, 999, 1.5, Number.NaN, -1, -2].map((i) => returned(i, { forged: i })),
        ...rest,
      ],
      want: [pass(event(0)), ...whole],
    },
    {
      name: 'does not replace an earlier answer',
      answers: [returned(0, event(0)), ...rest, returned(0, { forged: true }), returned(2, { forged: true })],
      want: [pass(event(0)), ...whole],
    },
  ]
  for (const { name, answers, want } of cases) {
    it(name, async () => {
      expect(await outcomesOf(answers)).toEqual(want)
    })
  }
  it('fails a whole batch that has no answer, or only that of a single event', async () => {
    for (const answers of [[], [returned(0, event(0))], [{ for: -1, says: [-1, '', 2] }]])
      expect(await outcomesOf(answers, 'transformBatch')).toEqual(inputs.map(() => unreadable('transformBatch')))
  })
})
