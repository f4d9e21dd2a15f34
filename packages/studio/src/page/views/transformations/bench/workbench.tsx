import './bench.css'
import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { addressOf, path } from '../../../shell/router.ts'
import type { Candidate } from '../publish/candidate.ts'
import { PublishDialog } from '../publish/publish-dialog.tsx'
import { VersionTimeline } from '../publish/version-timeline.tsx'
import type { Transformation } from '../transformation.ts'
import { BenchHead } from './bench-head.tsx'
import { Checks } from './checks.tsx'
import { CodeFrame } from './code-frame.tsx'
import { EventsPanel } from './events-panel.tsx'
import { useBench } from './use-bench.ts'
import { useTypes } from './use-types.ts'

/** One transformation in one window: code, events and what it returns for them, checks and versions. */
export function Workbench() {
  const id = path.value.slice('/transformations/'.length)
  const address = `/transformations/${id}`
  const { state, refresh } = usePolled(address, (signal) => request<Transformation>(address, { signal }), 10_000)
  const { value, error } = state.value
  if (value) return <Bench key={id} transformation={value} onSaved={() => void refresh()} />
  return (
    <>
      <PageHead title="Transformation" crumbs={[{ text: 'Transformations', href: addressOf('/transformations') }]} />
      {error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton isTall />}
    </>
  )
}

/** From this width on the versions have a column of their own. */
const wideQuery = '(min-width: 80.01rem)'

function Bench({ transformation, onSaved }: { readonly transformation: Transformation; readonly onSaved: () => void }) {
  const bench = useBench(transformation, onSaved)
  const types = useTypes()
  const [candidate, setCandidate] = useState<Candidate>()
  const [hasVersions, setVersions] = useState(matchMedia(wideQuery).matches)
  const publish = (): void => setCandidate({ title: 'this code', code: bench.code })
  return (
    <>
      <BenchHead
        bench={bench}
        onPublish={publish}
        hasVersions={hasVersions}
        onVersions={() => setVersions(!hasVersions)}
      />
      <Outcome action={bench.action} />
      {bench.isSavedElsewhere ? (
        <Notice kind="plain">
          Other code was saved meanwhile. What you save comes after it.{' '}
          <button type="button" onClick={bench.adopt}>
            Show it in place of yours
          </button>
        </Notice>
      ) : null}
      <div class={`bench${hasVersions ? ' with-versions' : ''}`}>
        <div class="bench-left">
          <CodeFrame bench={bench} types={types} />
          <Checks bench={bench} types={types} />
        </div>
        <EventsPanel bench={bench} />
        {hasVersions ? <VersionTimeline bench={bench} onPublish={setCandidate} /> : null}
      </div>
      <PublishDialog bench={bench} candidate={candidate} onClose={() => setCandidate(undefined)} />
    </>
  )
}
