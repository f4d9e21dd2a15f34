import { usePolled } from '../../../api/polled.ts'
import { CodeLines } from '../../../parts/code/code-lines.tsx'
import { JsonTree } from '../../../parts/code/json-tree.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { addressOf } from '../../../shell/router.ts'
import { type LetterGroup, lineOf, mendingPlaceOf, reasonText } from '../../watch/letter-groups.ts'
import { startMending } from '../../watch/mending.ts'
import type { Place } from '../../watch/watched-places.ts'
import type { DeadLetter } from '../dead-letter.ts'
import { type CodeVersion, readThrowingVersion } from './throwing-version.ts'

interface BrokenProps {
  readonly group: LetterGroup
  readonly newest: DeadLetter | undefined
  readonly destination: Place | undefined
}

/** The line of code that threw, or what the destination answered. */
export function Broken({ group, newest, destination }: BrokenProps) {
  const code = destination?.transformation
  if (mendingPlaceOf(group.code) === 'code' && code !== undefined && code.id !== undefined && newest !== undefined)
    return <BrokenCode group={group} newest={newest} destination={destination as Place} />
  return (
    <div class="stack">
      <p>{group.reason}</p>
      {newest?.status === undefined ? null : (
        <p class="soft">
          It answered <b>{newest.status}</b>
          {newest.attempts !== undefined && newest.attempts > 1 ? ` after ${newest.attempts} attempts` : ''}
          {newest.reply ? ':' : ', without a text.'}
        </p>
      )}
      {newest?.reply ? <Reply reply={newest.reply} /> : null}
      {destination ? (
        <p>
          <a href={addressOf(`/destinations/${encodeURIComponent(destination.id)}`)}>Settings of {destination.name}</a>
        </p>
      ) : null}
    </div>
  )
}

function Reply({ reply }: { readonly reply: unknown }) {
  const parsed = typeof reply === 'string' ? parse(reply) : reply
  return typeof parsed === 'object' && parsed !== null ? (
    <JsonTree label="Reply" value={parsed} />
  ) : (
    <CodeLines label="Reply" language="plain" text={String(parsed)} />
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Lines that are shown before and after the one that threw. */
const around = { before: 5, after: 2 }

function BrokenCode({ group, newest, destination }: { group: LetterGroup; newest: DeadLetter; destination: Place }) {
  const { id = '', name = '' } = destination.transformation ?? {}
  const { value: version, error } = usePolled(
    `throwing ${id} ${newest.id}`,
    (signal) => readThrowingVersion(id, newest, signal),
    0,
  ).state.value
  const place = lineOf(group.reason)
  const line = place?.module === name ? place.line : undefined
  return (
    <div class="stack">
      {version === undefined || line === undefined ? (
        <p>{group.reason}</p>
      ) : (
        <>
          <p class="soft">
            It threw in {name} version {version.number}, line {line}. <Life version={version} />
          </p>
          <Lines version={version} line={line} note={reasonText(group.reason)} name={name} />
        </>
      )}
      {error ? <p class="hint">The version that threw cannot be read: {error.message}</p> : null}
      <p>
        <a
          class="btn small"
          href={addressOf(`/transformations/${encodeURIComponent(id)}`)}
          onClick={() =>
            startMending({
              destinationId: group.destinationId,
              destinationName: destination.name,
              code: group.code,
              reason: group.reason,
              count: group.count,
              transformationId: id,
              transformationName: name,
            })
          }
        >
          Open the code
        </a>
      </p>
    </div>
  )
}

function Life({ version: { publishedAt, retiredAt } }: { readonly version: CodeVersion }) {
  if (publishedAt === undefined) return null
  return (
    <>
      It was published <Time at={publishedAt} />
      {retiredAt === undefined ? (
        ' and is live.'
      ) : (
        <>
          {' '}
          and replaced <Time at={retiredAt} />.
        </>
      )}
    </>
  )
}

function Lines({ version, line, note, name }: { version: CodeVersion; line: number; note: string; name: string }) {
  const lines = version.code.split('\n')
  const first = Math.max(1, line - around.before)
  return (
    <CodeLines
      label={`${name} version ${version.number}, around line ${line}`}
      text={lines.slice(first - 1, line + around.after).join('\n')}
      first={first}
      marks={{ [line]: { kind: 'wrong', note } }}
    />
  )
}
