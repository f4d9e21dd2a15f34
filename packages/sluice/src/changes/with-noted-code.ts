import type { CodeKind, CodeRecord, CodeVersion, Transformations } from '@sluice/transformations'
import type { ChangeFact, ChangeNotes } from './change-notes.ts'
import type { NameOf } from './record-facts.ts'

/** Returns transformations that note what is changed through them. */
export function withNotedCode(
  service: Transformations,
  notes: ChangeNotes,
  nameOf: (workspaceId: string) => NameOf,
): Transformations {
  const numberOf = async (workspaceId: string, { kind, id, publishedVersionId }: CodeRecord) => {
    if (publishedVersionId === null) return undefined
    const found = await service.version(workspaceId, kind, id, publishedVersionId).catch(() => undefined)
    return found?.ok ? found.value.version.number : undefined
  }
  // What is read only to name a change must not keep it from being made, nor fail a change that was made.
  const findBefore = (workspaceId: string, kind: CodeKind, id: string) =>
    service.find(workspaceId, kind, id).catch(() => undefined)
  return {
    ...service,
    async create(workspaceId, kind, code) {
      const created = await service.create(workspaceId, kind, code)
      if (!created.ok) return created
      const { version } = created.value
      const fact = {
        kind: 'created',
        subject: subjectOf(kind, version),
        text: `created ${kind} ${version.name}`,
      } as const
      const published = code.publish ? [publishedFact(kind, version, undefined)] : []
      await notes.note(workspaceId, [fact, ...published])
      return created
    },
    async update(workspaceId, kind, id, patch) {
      const before = await findBefore(workspaceId, kind, id)
      const updated = await service.update(workspaceId, kind, id, patch)
      if (!updated.ok) return updated
      const { version } = updated.value
      const live = patch.publish && before?.ok ? await numberOf(workspaceId, before.value.record) : undefined
      await notes.note(workspaceId, [patch.publish ? publishedFact(kind, version, live) : savedFact(kind, version)])
      return updated
    },
    async publish(workspaceId, request) {
      const report = await service.publish(workspaceId, request)
      if (!report.ok) return report
      const facts: ChangeFact[] = []
      for (const { record, version } of report.value.published)
        facts.push(publishedFact(record.kind, version, await numberOf(workspaceId, record)))
      await notes.note(workspaceId, facts)
      return report
    },
    async remove(workspaceId, kind, id, options) {
      const before = await findBefore(workspaceId, kind, id)
      const removed = await service.remove(workspaceId, kind, id, options)
      if (!removed.ok || !before?.ok) return removed
      const { version } = before.value
      await notes.note(workspaceId, [
        { kind: 'deleted', subject: subjectOf(kind, version), text: `deleted ${kind} ${version.name}` },
      ])
      return removed
    },
    async connect(workspaceId, destinationId, transformationId, options) {
      const connected = await service.connect(workspaceId, destinationId, transformationId, options)
      if (!connected.ok || connected.value === undefined || options?.validateOnly) return connected
      const { version } = connected.value
      const to = nameOf(workspaceId)('destination', destinationId)
      const subject = subjectOf('transformation', version)
      const fact: ChangeFact =
        transformationId === undefined
          ? {
              kind: 'disconnected',
              subject,
              text: `disconnected transformation ${version.name} from destination ${to}`,
            }
          : { kind: 'connected', subject, text: `connected transformation ${version.name} with destination ${to}` }
      await notes.note(workspaceId, [fact])
      return connected
    },
  }
}

function subjectOf(kind: CodeKind, { id, name }: CodeVersion): ChangeFact['subject'] {
  return { kind, id, name }
}

function savedFact(kind: CodeKind, version: CodeVersion): ChangeFact {
  const text = `saved version ${version.number} of ${kind} ${version.name}`
  return { kind: 'saved', subject: subjectOf(kind, version), text, ref: version.versionId }
}

/** @param live number of the version that was live before. */
function publishedFact(kind: CodeKind, version: CodeVersion, live: number | undefined): ChangeFact {
  const isBack = live !== undefined && live > version.number
  const what = `version ${version.number} of ${kind} ${version.name}`
  return {
    kind: isBack ? 'rolledBack' : 'published',
    subject: subjectOf(kind, version),
    text: isBack ? `went back to ${what}` : `published ${what}`,
    ...(live === undefined ? {} : { before: `version ${live}` }),
    after: `version ${version.number}`,
    ref: version.versionId,
  }
}
