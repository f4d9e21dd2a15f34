import { createManualClock, createSeededRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { describeLostAnswers, type OpenStore } from '@sluice/storage/suites'
import { afterAll, beforeAll, describe } from 'vitest'
import { type ForgetfulWay, losses, startForgetfulWay } from '../support/databases/forgetful-way.ts'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { sized } from '../support/long.ts'

const clock = createManualClock()
const random = createSeededRandom(1)
const schema = freshSchema()
let way: ForgetfulWay | undefined

/** A write of a port: not what processes tell each other about themselves. */
function isMeant(statement: string): boolean {
  return (
    /\b(insert|update|delete)\b/.test(statement) &&
    !/^(with freed as \()?(update|insert into|delete from) (node|lane|passing|log_partition|defined_file)\b/.test(
      statement,
    )
  )
}

/** As the only process of its cluster, which holds all lanes. */
const openStore: OpenStore = async () => {
  const url = new URL(postgresUrl)
  url.port = String(way?.port)
  const store = await openPostgresStore({ url: url.href, schema, clock, random })
  const done = async () => {}
  const ignore = () => {}
  await store.cluster?.join({
    pause: done,
    resume: done,
    apply: done,
    passed: done,
    lost: done,
    deferred: ignore,
    tryNow: ignore,
  })
  return store
}

describe.skipIf(noPostgres)('a store in PostgreSQL whose connections end', () => {
  beforeAll(async () => {
    way = await startForgetfulWay(Number(new URL(postgresUrl).port))
  })
  afterAll(async () => {
    way?.close()
    await dropSchema(schema)
  })
  describeLostAnswers('postgres', openStore, {
    losses: losses.map((loss) => ({
      name: loss,
      loseNext: () => way?.loseNext(loss, isMeant),
      count: () => way?.lost ?? 0,
    })),
    // It notes only what was under way in processes that died.
    unwritten: ['crashes.started'],
    rounds: sized(1, 20),
  })
})
