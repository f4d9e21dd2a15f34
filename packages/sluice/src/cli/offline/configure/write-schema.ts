import { writeFile } from 'node:fs/promises'
import { workspaceFileSchema } from '@sluice/configuration'
import type { DestinationDefinition } from '@sluice/destinations'
import { registryWith } from '../../../workspace/known-destinations.ts'
import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'

export interface SchemaFlags {
  readonly workspace?: string
  readonly out?: string
}

/** Runs `sluice schema`. Types of a family are known as far as the workspace uses them: loading all takes seconds. */
export async function writeSchema({ workspace, out }: SchemaFlags): Promise<void> {
  const text = await schemaText(workspace)
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(out, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${out} cannot be written (${error.code ?? error.message}); choose another file with --out`)
  })
  printLine(`wrote ${out}`)
}

/** Returns the schema as text. @param workspace file whose packages are known as well. */
export async function schemaText(workspace?: string): Promise<string> {
  return `${JSON.stringify(workspaceFileSchema(await typesFor(workspace)))}\n`
}

async function typesFor(workspace: string | undefined): Promise<readonly DestinationDefinition[]> {
  if (workspace === undefined) return registryWith([]).list()
  const opened = await openWorkspace(workspace, { lenient: true }).catch((error: unknown) =>
    Promise.reject(asCliError(error)),
  )
  const registry = registryWith(opened.destinations)
  const used = [...JSON.stringify(opened.workspace).matchAll(/"type":"([^"\\]+)"/g)].flatMap(
    ([, type = '']) => registry.get(type) ?? [],
  )
  return [...new Set([...registry.list(), ...used])]
}
