import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { type Action, useAction } from '../../../parts/use-action.ts'
import { go } from '../../../shell/router.ts'
import type { AllCode } from '../all-code.ts'
import type { Library, TestProblem } from '../transformation.ts'
import { tryInPage } from '../trial/try-in-page.ts'
import { importersOf } from './importers.ts'
import { problemsOfRefusal } from './library-problems.ts'
import type { LibraryVersion } from './library-versions.tsx'

/** A library with its versions, and all code that may import it. */
export interface LibraryContent {
  readonly library: Library
  readonly versions: readonly LibraryVersion[]
  readonly all: AllCode
}

/** Result of a publication, as `detail=true` returns it. */
interface Published {
  readonly retested: readonly { readonly name: string }[]
}

/** A library as it is being written, and what can be done with it. */
interface LibraryWork {
  readonly code: string
  readonly setCode: (code: string) => void
  readonly isChanged: boolean
  /** Whether other code was saved while this was written. */
  readonly isSavedElsewhere: boolean
  readonly problems: readonly TestProblem[]
  /** Transformations that are published with it. */
  readonly withUsers: ReadonlySet<string>
  readonly setWithUsers: (ids: ReadonlySet<string>) => void
  readonly importers: ReturnType<typeof importersOf>
  readonly action: Action
  readonly check: () => void
  readonly saveOnly: () => void
  readonly publish: () => void
  readonly remove: () => void
}

/** Keeps the code of a library while it is written. @param onChanged reads the library again. */
export function useLibrary(
  { library, all }: Pick<LibraryContent, 'library' | 'all'>,
  onChanged: () => Promise<void>,
): LibraryWork {
  const { id, importName, versionId } = library
  const [code, setCode] = useState(library.code)
  const [problems, setProblems] = useState<readonly TestProblem[]>([])
  const [withUsers, setWithUsers] = useState<ReadonlySet<string>>(new Set())
  const action = useAction()
  const isChanged = code !== library.code
  /** The code that this began with, or saved. */
  const [base, setBase] = useState(library.code)
  const isSavedElsewhere = isChanged && library.code !== base
  const importers = importersOf(library, all.transformations, all.libraries)
  const together = importers.filter((each) => withUsers.has(each.id))
  const address = `/libraries/${encodeURIComponent(id)}`

  /** Saves the code as a revision where it changed. @returns the version that has it. */
  const save = async (): Promise<string> => {
    if (!isChanged) return versionId
    const saved = await request<Library>(address, { method: 'POST', body: { code } })
    setBase(code)
    return saved.versionId
  }
  const check = (): void =>
    void action.run(async () => {
      const importing = `import * as library from ${JSON.stringify(importName)}\nexport const transformEvent = (event) => event`
      const ran = await tryInPage('check', importing, [{ type: 'track', event: 'Check' }], { ...library, code })
      setProblems(ran.problems)
      return ran.problems.length === 0 ? 'The library can be loaded.' : undefined
    })
  const saveOnly = (): void =>
    void action.run(async () => {
      await save()
      await onChanged()
      return 'Saved as a revision. The live version is the same as before.'
    })
  const publish = (): void =>
    void action.run(async () => {
      setProblems([])
      const version = await save()
      try {
        const { retested } = await request<Published>('/transformations/libraries/publish?detail=true', {
          method: 'POST',
          body: {
            libraries: [{ versionId: version }],
            transformations: together.map((each) => ({ versionId: each.versionId })),
          },
          waitMs: 60_000,
        })
        setWithUsers(new Set())
        return `Live from the next batch on. ${together.length} published with it, ${retested.length} tested again.`
      } catch (error) {
        setProblems(problemsOfRefusal(error))
        throw error
      } finally {
        await onChanged()
      }
    })
  const remove = (): void =>
    void action.run(async () => {
      await request(address, { method: 'DELETE' })
      go('/transformations')
      return undefined
    })
  return {
    code,
    setCode,
    isChanged,
    isSavedElsewhere,
    problems,
    withUsers,
    setWithUsers,
    importers,
    action,
    check,
    saveOnly,
    publish,
    remove,
  }
}
