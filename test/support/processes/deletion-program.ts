/**
 * A process for `startKillable`: ingests events, regulates users, and reports when all deletions are over, job by job.
 * Without events it continues the work of an earlier process. With `killOnForgotten` it kills itself when the log has
 * forgotten that user, a moment that no other process could catch.
 */
export const deletionProgram = `
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { createTransport } = await import('@sluice/delivery')
const { openSqliteStore } = await import('@sluice/storage')
const { createSluice } = await import('sluice')
const { folder, options, api, events, users, destinationIds, killOnForgotten } = JSON.parse(process.argv[1])
const real = createTransport({ clock, allowAddresses: ['localhost'] })
// Requests to Amplitude go to a server of the test.
const send = (request, how) => real.send({ ...request, endpoint: request.endpoint.replace('https://amplitude.com', api) }, how)
const store = await openSqliteStore({ path: folder + '/store/sluice.db', clock, random, synchronous: 'normal' })
const sluice = await createSluice({ logger: 'off', ...options, store, transport: { ...real, send }, onError: (error) => console.error(error) })
const pause = () => new Promise((resolve) => setTimeout(resolve, 10))
const letters = () => store.deadLetters.list('w', { limit: 100 })
const logged = async () => (await store.log.read('w', 0, 100)).flatMap(({ events }) => events)
if (events) {
  const { ok } = await sluice.ingest('k', events)
  if (!ok) throw new Error('not taken in')
  const others = async () => (await sluice.stats())[0].destinations.filter(({ destinationId: id, pending }) => id !== 'hook' && pending > 0)
  const count = (kind) => events.filter(({ messageId }) => messageId.startsWith(kind)).length
  while ((await letters()).length < count('bad')) await pause()
  while ((await store.retries.entries('w', 'hook')).length < count('wait')) await pause()
  while ((await others()).length > 0) await pause()
  report('delivered')
  const regulations = await sluice.regulations.create('w', { regulationType: 'suppress_with_delete', users: users.map((userId) => ({ userId })), destinationIds })
  report('regulated')
  if (killOnForgotten) {
    while ((await logged()).some(({ userId }) => userId === killOnForgotten)) await new Promise(setImmediate)
    process.kill(process.pid, 'SIGKILL')
  }
}
const all = (await sluice.regulations.list('w', { limit: 1000 })).regulations
for (const { id } of all) {
  for (;;) {
    const jobs = await sluice.deletions.ofRegulation('w', id)
    const isOver = jobs.every(({ status }) => status !== 'pending' && status !== 'running')
    if (isOver) report(id, jobs.map(({ destinationId, status, reason = '' }) => [destinationId, status, reason]))
    if (isOver) break
    await pause()
  }
}
report('over', all.map(({ id }) => id))
await asked
await sluice.stop()
await real.close()
`
