import { inspect } from 'node:util'
import type { Store } from '@sluice/pipeline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenStore } from '../open-stores.ts'
import { callsOf, writingMethods } from '../writing-methods.ts'

/** A way in which the answer to a write is lost. */
export interface AnswerLoss {
  readonly name: string
  /** Loses the answer to the next write of the store. */
  loseNext(): void
  /** How many were lost so far. */
  count(): number
}

interface LostAnswersOptions {
  readonly losses: readonly AnswerLoss[]
  /** Methods, as `port.method`, that write nothing here: no answer of theirs can be lost. */
  readonly unwritten?: readonly string[]
  /** How often each method loses each kind of answer; default 1. */
  readonly rounds?: number
}

/**
 * The promise of all ports that a write is applied once, and answered with what it returned, when the connection to the
 * database ends and it is unknown whether it was stored.
 * @param open opens a new store, once.
 */
export function describeLostAnswers(
  name: string,
  open: OpenStore,
  { losses, unwritten = [], rounds = 1 }: LostAnswersOptions,
): void {
  describe(`lost answers, ${rounds} times each: ${name}`, () => {
    let opened: Store | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    /** Calls a method in a workspace of its own, whose name is left out of what is returned. */
    const outcomeOf = async (w: string, port: string, method: string, lose: () => void): Promise<string> => {
      const writing = callsOf(w)[port]?.[method]
      if (opened === undefined || writing === undefined || writing === 'reads') throw new Error('unreachable')
      const { before, call, left } = writing
      await before?.(opened)
      lose()
      const answer = await call(opened)
      const outcome = { answer, left: await left(opened) }
      return inspect(outcome, { depth: null, sorted: true, breakLength: 60 }).replaceAll(w, 'w')
    }
    for (const [port, method] of writingMethods)
      it(`${port}.${method} is applied once, and answered, when the answer was lost`, async () => {
        const inWorkspace = (loss: string, round: number, lose: () => void) =>
          outcomeOf(`${port}.${method} ${loss.padEnd(10, '-')} ${String(round).padStart(3, '0')}`, port, method, lose)
        const undisturbed = await inWorkspace('none', 0, () => {})
        for (let round = 1; round <= rounds; round += 1)
          for (const loss of losses) {
            const before = loss.count()
            expect(await inWorkspace(loss.name, round, loss.loseNext), loss.name).toBe(undisturbed)
            if (!unwritten.includes(`${port}.${method}`)) expect(loss.count(), `${loss.name}: lost`).toBe(before + 1)
          }
      })
  })
}
