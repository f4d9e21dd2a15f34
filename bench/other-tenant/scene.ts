import type { Figure } from '../bench-kit.ts'
import { sharedNow } from './receiver.ts'

/** Runs of the innocent workspace per measurement: its 99th percentile is the third worst. */
const runs = 300
const pauseMs = 2
/** How many calls of an attacker are under way. */
const flood = 16

/** An attack that continues until it is stopped. */
export interface Attack {
  stop(): Promise<void>
}

export interface Scene {
  /** One thing that the other workspace does. @returns when it was done (`sharedNow`); left out, when it resolves. */
  step(n: number): Promise<number | undefined>
  attack(): Promise<Attack> | Attack
  close(): Promise<void>
}

/** Does `work` again and again, `flood` times at once; failures are the attacker's. */
export function repeatedly(work: (n: number) => Promise<unknown>): Attack {
  let stopped = false
  let calls = 0
  const lines = Array.from({ length: flood }, async () => {
    while (!stopped) {
      calls += 1
      await work(calls).catch(() => {})
    }
  })
  return {
    async stop() {
      stopped = true
      await Promise.race([Promise.all(lines), new Promise((resolve) => setTimeout(resolve, 5_000).unref())])
    },
  }
}

async function p99Of({ step }: Scene): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < runs; n += 1) {
    // As events come: with pauses, in which the attacker has its turn. What comes late counts from when it was due.
    const due = sharedNow() + pauseMs
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const doneAt = await step(n)
    times.push((doneAt ?? sharedNow()) - due)
  }
  return times.sort((a, b) => a - b)[Math.floor(runs * 0.99)] ?? 0
}

/** What the 99th percentile of the other workspace becomes under the attack. */
export function figure(name: string, open: () => Promise<Scene>, goal = '≤ 3'): Figure {
  return {
    name: `p99 of the other workspace, ${name} ÷ alone`,
    unit: '×',
    goal,
    async measure() {
      const scene = await open()
      await p99Of(scene)
      const alone = await p99Of(scene)
      const attack = await scene.attack()
      // What the attack is, is learnt from its first batches; a thread for the others starts once.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await p99Of(scene)
      const attacked = await p99Of(scene)
      await attack.stop()
      await scene.close()
      return attacked / alone
    },
  }
}
