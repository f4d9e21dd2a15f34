import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import {
  createLedger,
  createSuppressionIndex,
  drillRestore,
  type Ledger,
  type RegulationStore,
} from '@sluice/regulation'
import { createFolderLedgerPlace, openSqliteStore } from '@sluice/storage'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hangMs } from '../support/hang-ms.ts'
import { sized } from '../support/long.ts'
import { createDice, type Dice } from '../support/processes/kill-load.ts'
import { startKillable } from '../support/processes/killable.ts'
import {
  type RegulationAnswer,
  type RegulationArguments,
  regulationProgram,
} from '../support/processes/regulation-program.ts'
import { runSeed } from '../support/seed.ts'

const operatorKey = 'a-key-of-the-operator-that-cannot-be-guessed'
const parts = { clock: systemClock, random: systemRandom }
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function answersIn(folder: string): readonly RegulationAnswer[] {
  const file = join(folder, 'answers.ndjson')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const idsOf = (answers: readonly RegulationAnswer[], did: RegulationAnswer['did']): ReadonlySet<string> =>
  new Set(answers.flatMap((answer) => (answer.did === did ? answer.id : [])))

function activeIn(answers: readonly RegulationAnswer[]) {
  const over = idsOf(answers, 'cancelling')
  return answers.flatMap((answer) => (answer.did === 'created' && !over.has(answer.id) ? answer : []))
}

/** Runs a process until it is killed, most of the time. @returns the backup, where it was written before. */
async function runAndKill(folder: string, name: string, dice: Dice): Promise<readonly string[]> {
  const path = join(folder, name)
  const before = answersIn(folder).length
  const isKilledFromOutside = dice(3) === 0
  const given: RegulationArguments = {
    folder,
    seed: dice(1_000_000_000),
    killAtStep: isKilledFromOutside ? undefined : 1 + dice(400),
    backup: { path, afterTurns: dice(80) },
    active: activeIn(answersIn(folder)).map(({ id }) => id),
    operatorKey,
  }
  const process = await startKillable(regulationProgram, [JSON.stringify(given)])
  if (isKilledFromOutside) {
    const count = before + 1 + dice(30)
    let isOver = false
    void process.ended.then(() => {
      isOver = true
    })
    await eventually(() => isOver || answersIn(folder).length >= count).toBe(true)
    process.kill()
  }
  expect(await process.ended).toBe('')
  return existsSync(path) ? [path] : []
}

/** What must be true of a store that was restored, and compared with the ledger. */
async function expectAllKept(
  store: RegulationStore,
  ledger: Ledger,
  answers: readonly RegulationAnswer[],
): Promise<void> {
  const index = createSuppressionIndex({ store, ...parts, aliases: () => ledger.aliases })
  await index.catchUp()
  const created = answers.flatMap((answer) => (answer.did === 'created' ? answer : []))
  const suppressed = await index.check(created.map(({ userId }) => ({ workspaceId: 'w', sourceId: 's', userId })))
  const active = new Set(activeIn(answers).map(({ id }) => id))
  const cancelled = idsOf(answers, 'cancelled')
  const found = new Map(
    (
      await store.findAll(
        'w',
        created.map(({ id }) => id),
      )
    ).map((regulation) => [regulation.id, regulation]),
  )
  for (const [i, { id, userId, regulationType }] of created.entries()) {
    const state = { id, isSuppressed: suppressed[i], isActive: found.get(id)?.canceled === false }
    if (active.has(id)) expect(state, 'was forgotten').toEqual({ id, isSuppressed: true, isActive: true })
    if (cancelled.has(id)) expect(state, 'was revived').toEqual({ id, isSuppressed: false, isActive: false })
    if (active.has(id) && regulationType === 'suppress_with_delete')
      expect(found.get(id)?.attributes.userId, 'cannot be deleted again').toBe(userId)
  }
}

/** Restores a backup, or an empty store, in a folder of its own. */
async function withCopy(
  backup: string | undefined,
  folder: string,
  use: (store: RegulationStore) => Promise<void>,
): Promise<void> {
  mkdirSync(folder)
  const path = join(folder, 'sluice.db')
  if (backup !== undefined) copyFileSync(backup, path)
  const store = await openSqliteStore({ path, ...parts, thread: 'this' })
  try {
    await use(store.regulations)
  } finally {
    await store.close()
  }
}

/** Processes that are killed, a restore of one of their backups, and a drill with it. @returns the answers. */
async function drill(seed: number): Promise<number> {
  const dice = createDice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-drills-'))
  folders.push(folder)
  const backups: string[] = []
  for (let left = 2 + dice(3); left > 0; left -= 1)
    backups.push(...(await runAndKill(folder, `backup-${left}.db`, dice)))
  const answers = answersIn(folder)
  const place = createFolderLedgerPlace(join(folder, 'ledger'), systemRandom)
  // The first process was killed before there was a ledger, and the others as well.
  if ((await place.kept('key')) === undefined) {
    expect(answers).toEqual([])
    return 0
  }
  // The oldest backup that there can be is an empty store.
  const backup = [undefined, ...backups][dice(backups.length + 1)]
  await withCopy(backup, join(folder, 'drill'), async (store) => {
    const report = await drillRestore({ place, store, ...parts, operatorKey })
    expect(report).toMatchObject({ notInForce: [], withoutIds: [] })
    expect(report.active).toBeGreaterThanOrEqual(activeIn(answers).length)
    // Only of calls that were interrupted.
    const answered = idsOf(answers, 'cancelled')
    const asked = [...idsOf(answers, 'cancelling')].filter((id) => !answered.has(id))
    expect(asked).toEqual(expect.arrayContaining([...report.halfCanceled]))
  })
  await withCopy(backup, join(folder, 'restored'), async (store) => {
    const onError = (error: unknown): never => {
      throw error
    }
    const ledger = createLedger({ place, store, ...parts, operatorKey, onError })
    await ledger.compare()
    await expectAllKept(store, ledger, answers)
  })
  rmSync(folder, { recursive: true })
  folders.splice(folders.indexOf(folder), 1)
  return answers.length
}

describe('drills with backups of processes that were killed', () => {
  const drills = sized(5, 100)

  it(`forget no acknowledged regulation and revive no cancelled one, ${drills} times`, {
    // A hundred drills need more than a test usually has.
    timeout: sized(2 * hangMs, 900_000),
  }, async () => {
    let answers = 0
    for (let round = 0; round < drills; round += 1) {
      const seed = runSeed * 1_000 + round
      answers += await drill(seed).catch((error) => {
        throw new Error(`drill with seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
      })
    }
    expect(answers).toBeGreaterThan(drills * 5)
  })
})
