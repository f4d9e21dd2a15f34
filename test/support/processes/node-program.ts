/**
 * A process for `startKillable`: a node of a cluster. Reports `serving` when it has started, and takes its other workspace,
 * and then its first one again, with each SIGUSR2; it reports `changed <n>` then.
 */
export const nodeProgram = `
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { openPostgresStore } = await import('@sluice/postgres')
const { createSluice } = await import('sluice')
const { url, schema, times, workspaces, options } = JSON.parse(process.argv[1])
const store = await openPostgresStore({ url, schema, times, clock, random, onError: () => {} })
const sluice = await createSluice({ logger: 'off', ...options, workspace: workspaces[0], store, onError: () => {} })
let changes = 0
process.on('SIGUSR2', async () => {
  changes += 1
  await sluice.updateWorkspace(workspaces[changes % 2])
  report('changed ' + changes)
})
report('serving')
await asked
await sluice.stop(1_000)
`
