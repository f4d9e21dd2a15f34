import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtInDestinations } from '@sluice/destinations'
import { createSluice } from 'sluice'
import type { Page } from '../pages/page.ts'
import { type CommandLike, commandPages } from './command-pages.ts'
import { destinationList } from './destination-list.ts'
import { errorPage } from './error-page.ts'
import { httpPages, type OpenapiDocument } from './http-pages.ts'

/**
 * Returns the pages made from what runs: error codes, commands, HTTP routes, the list of destinations.
 * @param written the pages of destinations are among them.
 */
export async function referencePages(root: string, written: readonly Page[]): Promise<readonly Page[]> {
  return [
    errorPage(written),
    ...commandPages(await program(root)),
    ...httpPages(await openapi()),
    destinationList(Object.values(builtInDestinations), written),
  ]
}

/** The command is no export of its package, so the build of this checkout is loaded by its path. */
async function program(root: string): Promise<CommandLike> {
  const file = join(root, 'packages/sluice/dist/cli/sluice-program.js')
  const { sluiceProgram } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    sluiceProgram(version: string): CommandLike
  }
  return sluiceProgram('')
}

async function openapi(): Promise<OpenapiDocument> {
  const sluice = await createSluice({ admin: { user: 'a', password: 'b' }, sandbox: { mode: 'in-process' } })
  try {
    const answer = await sluice.fetch(new Request('http://sluice.test/openapi.json'))
    return (await answer.json()) as OpenapiDocument
  } finally {
    await sluice.stop()
  }
}
