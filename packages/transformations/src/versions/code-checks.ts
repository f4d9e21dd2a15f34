import { utf8Length } from '@sluice/core/bytes'
import { camelCase } from '@sluice/core/camel-case'
import type { Sandbox } from '@sluice/sandbox'
import { done, type Result, refused } from '../transformation-error.ts'
import type { CodeRecord, VersionedCode } from './code-record.ts'
import { importKey } from './import-key.ts'
import type { CodePatch, NewCode } from './next-version.ts'
import type { TransformationStore } from './transformation-store.ts'

/** Checks on code that is to be saved, published or not. */
interface CodeChecks {
  /** Checks the size, and of code to publish the syntax. Imports and exports are checked by the tests. */
  code(workspaceId: string, patch: CodePatch): Promise<Result<true>>
  /** Checks that a request may connect these destinations. */
  connections(workspaceId: string, patch: CodePatch): Result<true>
}

/** RudderStack publishes no limit. 1 MB is enough for a library with everything bundled into it. */
const codeBytesMax = 1_000_000
/** Limit for all versions of a workspace, because a list may return all of them and must fit into memory. */
const workspaceBytesMax = 256 * 1_024 * 1_024
/** Most ids named in a message. */
const namedMax = 5

export function createCodeChecks(options: {
  readonly store: TransformationStore
  readonly sandbox: Sandbox
  destinationIds(workspaceId: string): readonly string[]
}): CodeChecks {
  const { store, sandbox, destinationIds } = options
  return {
    code: async (workspaceId, { name = '', code = '', publish = false }) => {
      const bytes = utf8Length(code)
      if (bytes > codeBytesMax)
        return refused('codeTooLarge', `the code has ${bytes} bytes; ${codeBytesMax} are allowed`)
      if ((await store.bytes(workspaceId)) >= workspaceBytesMax)
        return refused(
          'storageFull',
          `the versions of the workspace have ${workspaceBytesMax} bytes; delete a transformation or library first`,
        )
      // A revision may be unfinished; publishing it tests it.
      if (code === '' || !publish) return done(true)
      // Compiled without libraries, so that a missing import or export does not count as a syntax error.
      const compiled = await sandbox.compile({ name, code, libraries: [] }, workspaceId)
      const message = compiled.ok ? '' : compiled.error.message
      if (!message.startsWith('SyntaxError')) return done(true)
      return refused('codeInvalid', `the code cannot be parsed: ${message.split('\n', 1)[0]}`)
    },
    connections: (workspaceId, { publish, destinationIds: wanted }) => {
      if (wanted === undefined) return done(true)
      if (publish !== true)
        return refused(
          'destinationsNeedPublish',
          'destinationIds is allowed only together with publish = true; publish the version, or leave destinationIds out',
        )
      const known = new Set(destinationIds(workspaceId))
      const unknown = wanted.filter((id) => !known.has(id))
      if (unknown.length === 0) return done(true)
      return refused(
        'destinationUnknown',
        `the workspace has no destination ${unknown.slice(0, namedMax).join(', ')}; GET /v2/destinations lists its destinations`,
      )
    },
  }
}

/** Returns the import name of a new library: the given one, or the camel case of its name. */
export function importNameOf({ name, importName = camelCase(name) }: NewCode): Result<string> {
  if (importKey(importName) !== '') return done(importName)
  return refused(
    'importNameInvalid',
    `${JSON.stringify(importName || name)} yields no import name; give an importName with letters or digits`,
  )
}

/** Checks that an update leaves the import name as it is. It may repeat it, because clients send back what they read. */
export function checkImportName({ importName }: CodePatch, record: CodeRecord): Result<true> {
  if (importName === undefined || importName === record.importName) return done(true)
  return refused(
    'importNameFixed',
    `importName is ${record.importName} and never changes, because code imports the library by it; leave importName out, or create another library`,
  )
}

/**
 * Checks that no other transformation is connected to a destination. Source:
 * packages/docs/api/transformations.md#create-and-update.
 */
export function checkDestinationsFree(
  published: readonly VersionedCode[],
  id: string,
  wanted: readonly string[] = [],
): Result<true> {
  for (const { record, version } of published) {
    const taken = record.id === id ? undefined : wanted.find((each) => record.destinationIds.includes(each))
    if (taken === undefined) continue
    const first = { id: record.id, name: version.name }
    return refused(
      'destinationTaken',
      `destination ${taken} is connected to transformation ${version.name} (${record.id}); disconnect that one first`,
      { destinationId: taken, transformation: first },
    )
  }
  return done(true)
}
