/**
 * A process for `startKillable`: creates and cancels regulations, three at a time, with a store and a ledger in a folder. It
 * appends what was answered to `answers.ndjson` there, and takes a backup meanwhile. It kills itself between two steps of
 * the store or the ledger, which no other process could hit; without `killAtStep`, it ends when all is written.
 */
export const regulationProgram = `
const { appendFileSync } = await import('node:fs')
const { createSeededRandom, systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { createLedger, createRegulations, createSuppressionIndex } = await import('@sluice/regulation')
const { createFolderLedgerPlace, openSqliteStore } = await import('@sluice/storage')
const { folder, seed, killAtStep, backup, active, operatorKey } = JSON.parse(process.argv[1])
const draws = createSeededRandom(seed)
const dice = (sides) => (draws.fill(new Uint8Array(4)).reduce((number, byte) => number * 256 + byte, 0) >>> 0) % sides
const answered = (answer) => appendFileSync(folder + '/answers.ndjson', JSON.stringify(answer) + '\\n')
let steps = 0
const step = () => {
  steps += 1
  if (steps === killAtStep) process.kill(process.pid, 'SIGKILL')
}
const stepping = (object) => new Proxy(object, { get(target, name) {
  const member = target[name]
  if (typeof member === 'object' && member !== null) return stepping(member)
  if (typeof member !== 'function') return member
  return async (...args) => {
    step()
    const result = await member.apply(target, args)
    step()
    return result
  }
} })
const opened = await openSqliteStore({ path: folder + '/data/sluice.db', clock, random, synchronous: 'normal', thread: 'this' })
const store = stepping(opened.regulations)
const place = stepping(createFolderLedgerPlace(folder + '/ledger', random))
const ledger = createLedger({ place, store, operatorKey, clock, random, onError: (error) => console.error(error) })
const compared = await ledger.compare()
const index = createSuppressionIndex({ store, clock, random, aliases: () => ledger.aliases })
await index.catchUp()
const workspace = () => ({ sourceIds: new Set(), destinations: new Map([['d1', { isStorage: false }]]) })
const regulations = createRegulations({ store, index, ledger, clock, random, workspace })
await regulations.deleteAgain(compared)
await ledger.settle()
const known = [...active]
let users = 0
const write = async () => {
  for (let turn = 0; turn < 12; turn += 1) {
    if (known.length > 0 && dice(3) === 0) {
      const [id] = known.splice(dice(known.length), 1)
      answered({ did: 'cancelling', id })
      await regulations.cancel('w', id)
      answered({ did: 'cancelled', id })
      continue
    }
    const regulationType = dice(3) === 0 ? 'suppress_with_delete' : 'suppress'
    const people = Array.from({ length: 1 + dice(3) }, () => ({ userId: 'user-' + seed + '-' + (users += 1) }))
    for (const { id, attributes } of await regulations.create('w', { regulationType, users: people })) {
      answered({ did: 'created', id, regulationType, userId: attributes.userId })
      known.push(id)
    }
  }
}
const backUp = async () => {
  for (let turn = 0; turn < backup.afterTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  await opened.backup(backup.path)
}
await Promise.all([write(), write(), write(), backUp()])
if (dice(2) === 0) await ledger.close()
process.exit(0)
`

/** Argument of the program. */
export interface RegulationArguments {
  readonly folder: string
  readonly seed: number
  readonly killAtStep?: number
  readonly backup: { readonly path: string; readonly afterTurns: number }
  /** Ids of regulations that may be cancelled. */
  readonly active: readonly string[]
  /** Of the ledger. */
  readonly operatorKey: string
}

/** What a process has answered; `cancelling` is what it was asked. */
export type RegulationAnswer =
  | {
      readonly did: 'created'
      readonly id: string
      readonly userId: string
      readonly regulationType: 'suppress' | 'suppress_with_delete'
    }
  | { readonly did: 'cancelling' | 'cancelled'; readonly id: string }
