import '../bench/bench.css'
import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { addressOf, go, path } from '../../../shell/router.ts'
import { type AllCode, readAllCode } from '../all-code.ts'
import type { Library, TestProblem } from '../transformation.ts'
import { tryInPage } from '../trial/try-in-page.ts'
import { Importers } from './importer-list.tsx'
import { importersOf } from './importers.ts'
import { libraryProblems, problemsOfRefusal } from './library-problems.ts'
import { type LibraryVersion, LibraryVersions } from './library-versions.tsx'

/** One library: its code, what imports it, and its versions. */
export function LibraryPage() {
  const id = path.value.slice('/transformations/libraries/'.length)
  const { state, refresh } = usePolled(`library ${id}`, (signal) => readPage(id, signal), 10_000)
  const { value, error } = state.value
  if (value) return <LibraryBench key={id} {...value} onChanged={refresh} />
  return (
    <>
      <PageHead title="Library" crumbs={crumbs} />
      {error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton isTall />}
    </>
  )
}

const crumbs = [{ text: 'Libraries', href: addressOf('/transformations', { show: 'libraries' }) }]

interface PageContent {
  readonly library: Library
  readonly versions: readonly LibraryVersion[]
  readonly all: AllCode
}

async function readPage(id: string, signal: AbortSignal): Promise<PageContent> {
  const address = `/libraries/${encodeURIComponent(id)}`
  const [library, { libraryVersions: versions }, all] = await Promise.all([
    request<Library>(address, { signal }),
    request<{ readonly libraryVersions: readonly LibraryVersion[] }>(`${address}/versions?orderBy=DESC`, { signal }),
    readAllCode(signal),
  ])
  return { library, versions, all }
}

/** Result of a publication, as `detail=true` returns it. */
interface Published {
  readonly retested: readonly { readonly name: string }[]
}

function LibraryBench({
  library,
  versions,
  all,
  onChanged,
}: PageContent & {
  readonly onChanged: () => Promise<void>
}) {
  const { id, name, importName, versionId } = library
  const [code, setCode] = useState(library.code)
  const [problems, setProblems] = useState<readonly TestProblem[]>([])
  const [withUsers, setWithUsers] = useState<ReadonlySet<string>>(new Set())
  const action = useAction()
  const isChanged = code !== library.code
  /** The code that this began with, or saved. */
  const [base, setBase] = useState(library.code)
  const isSavedElsewhere = isChanged && library.code !== base
  const live = versions.find(({ isPublished }) => isPublished)
  const importers = importersOf(library, all.transformations, all.libraries)
  const published = importers.filter(({ publishedVersionId }) => publishedVersionId !== null)
  const together = importers.filter((each) => withUsers.has(each.id))
  const mayWrite = allows('write')
  const mayOperate = mayWrite && allows('operate')
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
  return (
    <>
      <PageHead
        title={name}
        crumbs={crumbs}
        state={<LiveState live={live} isNewest={live?.versionId === versionId && !isChanged} />}
        note={
          <>
            Transformations import it as <code>{importName}</code>.
          </>
        }
        actions={
          <>
            <button type="button" disabled={action.isBusy} onClick={check}>
              <Icon name="play" />
              Check (Ctrl-Enter)
            </button>
            {mayWrite ? (
              <button type="button" disabled={action.isBusy || !isChanged} onClick={saveOnly}>
                Save as revision
              </button>
            ) : null}
            {mayOperate ? (
              <>
                <ConfirmButton
                  text="Publish"
                  question={`The library is loaded, and each published transformation that imports it (${published.length}) is tested with it. ${together.length} of them are published with their newest code. When all pass, all of this is live from the next batch on; otherwise nothing changes.`}
                  confirm="Test and publish"
                  isDisabled={action.isBusy}
                  onConfirm={publish}
                />
                <ConfirmButton
                  text="Delete"
                  question={`${name} and its ${versions.length} versions will be deleted; nothing can restore them. The server refuses it while a live transformation imports it. ${importers.length} transformations import it in their newest code.`}
                  confirm={`Delete ${name}`}
                  isDanger
                  isDisabled={action.isBusy}
                  onConfirm={remove}
                />
              </>
            ) : null}
          </>
        }
      />
      <Outcome action={action} />
      {isSavedElsewhere ? (
        <Notice kind="plain">
          Other code was saved meanwhile: see the versions below. Saving adds yours after it.
        </Notice>
      ) : null}
      {problems.length > 0 ? (
        <ul aria-label="Problems">
          {problems.map(({ line, error, module }) => (
            <li key={`${module} ${line} ${error}`} class="in bad">
              {module} {line === undefined ? '' : `line ${line}: `}
              {error}
            </li>
          ))}
        </ul>
      ) : null}
      <section class="frame editor-frame" aria-label="Code">
        <CodeEditor
          label={`Code of ${name}`}
          code={code}
          onChange={setCode}
          onRun={check}
          isFixed={!mayWrite}
          problems={libraryProblems(importName, problems)}
          paths={noPaths}
        />
      </section>
      <Importers
        importers={importers}
        chosen={withUsers}
        onChoose={setWithUsers}
        isFixed={!mayOperate || action.isBusy}
      />
      <LibraryVersions versions={versions} />
    </>
  )
}

function LiveState({ live, isNewest }: { readonly live: LibraryVersion | undefined; readonly isNewest: boolean }) {
  if (live === undefined) return <Pill state="idle">No version is live yet</Pill>
  return isNewest ? (
    <Pill state="good" isLive>
      live
    </Pill>
  ) : (
    <Pill state="note" icon="git-compare">
      An older version is live
    </Pill>
  )
}

/** A library has no event of its own. */
const noPaths = [] as const
