import PgBoss from 'pg-boss'
import { inParallel } from './in-parallel.ts'
import { type PeerQueue, queueName, requestsAtATime } from './peer-queue.ts'

/** pg-boss, with the shortest wait between two looks that it allows. @param schema for its tables. */
export async function openPgBossQueue(connectionString: string, schema: string): Promise<PeerQueue> {
  const boss = new PgBoss({ connectionString, schema })
  await boss.start()
  await boss.createQueue(queueName)
  const sending = inParallel(requestsAtATime)
  return {
    add: (events) => boss.insert(events.map((event) => ({ name: queueName, data: { event } }))),
    work: async (send) => {
      const options = { batchSize: 200, pollingIntervalSeconds: 0.5 }
      await boss.work<{ readonly event: string }>(queueName, options, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => sending(() => send(data.event))))
      })
    },
  }
}
