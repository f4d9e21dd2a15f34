import '../bench/bench.css'
import { allows } from '../../../api/session.ts'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { addressOf } from '../../../shell/router.ts'
import { Importers } from './importer-list.tsx'
import { libraryProblems } from './library-problems.ts'
import { type LibraryVersion, LibraryVersions } from './library-versions.tsx'
import { type LibraryContent, useLibrary } from './use-library.ts'

/** Where one came from. */
export const libraryCrumbs = [{ text: 'Libraries', href: addressOf('/transformations', { show: 'libraries' }) }]

/** The code of a library with what imports it, and what can be done with it. */
export function LibraryBench({
  library,
  versions,
  all,
  onChanged,
}: LibraryContent & {
  readonly onChanged: () => Promise<void>
}) {
  const { name, importName, versionId } = library
  const { code, isChanged, problems, withUsers, importers, action, check, ...work } = useLibrary(
    { library, all },
    onChanged,
  )
  const live = versions.find(({ isPublished }) => isPublished)
  const published = importers.filter(({ publishedVersionId }) => publishedVersionId !== null)
  const together = importers.filter((each) => withUsers.has(each.id))
  const mayWrite = allows('write')
  const mayOperate = mayWrite && allows('operate')
  return (
    <>
      <PageHead
        title={name}
        crumbs={libraryCrumbs}
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
              <button type="button" disabled={action.isBusy || !isChanged} onClick={work.saveOnly}>
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
                  onConfirm={work.publish}
                />
                <ConfirmButton
                  text="Delete"
                  question={`${name} and its ${versions.length} versions will be deleted; nothing can restore them. The server refuses it while a live transformation imports it. ${importers.length} transformations import it in their newest code.`}
                  confirm={`Delete ${name}`}
                  isDanger
                  isDisabled={action.isBusy}
                  onConfirm={work.remove}
                />
              </>
            ) : null}
          </>
        }
      />
      <Outcome action={action} />
      {work.isSavedElsewhere ? (
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
          onChange={work.setCode}
          onRun={check}
          isFixed={!mayWrite}
          problems={libraryProblems(importName, problems)}
          paths={noPaths}
        />
      </section>
      <Importers
        importers={importers}
        chosen={withUsers}
        onChoose={work.setWithUsers}
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
