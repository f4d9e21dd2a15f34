import { makeWorkerUtils, run } from 'graphile-worker'
import { type PeerQueue, queueName, requestsAtATime } from './peer-queue.ts'

/** graphile-worker. It adds the jobs of a call by one statement. @param schema for its tables. */
export async function openGraphileWorkerQueue(connectionString: string, schema: string): Promise<PeerQueue> {
  const utils = await makeWorkerUtils({ connectionString, schema })
  await utils.migrate()
  const addJobs = `select from ${schema}.add_jobs(
    array(select job from json_populate_recordset(null::${schema}.job_spec, $1::json) as job))`
  return {
    add: (events) => {
      const jobs = events.map((event) => ({ identifier: queueName, payload: { event }, max_attempts: 3 }))
      return utils.withPgClient(async (client) => {
        await client.query(addJobs, [JSON.stringify(jobs)])
      })
    },
    work: async (send) => {
      await run({
        connectionString,
        schema,
        concurrency: requestsAtATime,
        noHandleSignals: true,
        taskList: { [queueName]: (payload) => send((payload as { readonly event: string }).event) },
      })
    },
  }
}
