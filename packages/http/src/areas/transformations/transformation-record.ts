import type { Workspace } from '@sluice/core'
import { type CodeTest, importedNames, stateOf, type VersionedCode, versionState } from '@sluice/transformations'
import type { VersionLife } from './version-life.ts'

/** Returns a transformation as JSON. Source: packages/docs/api/transformations.md#transformation-record. */
export function transformationRecord(code: VersionedCode, workspace: Workspace) {
  const { publishedVersionId, destinationIds } = code.record
  const destinations = workspace.destinations
    .filter(({ id }) => destinationIds.includes(id))
    .map(({ id, name, enabled }) => ({ id, name, enabled }))
  return {
    ...recordMembers(code),
    imports: importsOf(code),
    codeVersion: '1',
    publishedVersionId,
    destinations: publishedVersionId === null ? undefined : destinations,
  }
}

/** Returns a library as JSON. Source: packages/docs/api/transformations.md#library-record. */
export function libraryRecord(code: VersionedCode) {
  return { ...recordMembers(code), importName: code.record.importName }
}

/** Source: packages/docs/api/transformations.md#version-records. */
export function transformationVersion(code: VersionedCode, life: VersionLife) {
  return { ...versionMembers(code), ...shownWithVersion(code), ...life, imports: importsOf(code), codeVersion: '1' }
}

/** Source: packages/docs/api/transformations.md#version-records. */
export function libraryVersion(code: VersionedCode, life: VersionLife) {
  const isPublished = versionState(stateOf(code.record), code.version.versionId) === 'published version'
  const { importName } = code.record
  // `name` is the import name here.
  return { ...versionMembers(code), ...shownWithVersion(code), ...life, name: importName, importName, isPublished }
}

/** The import names in the code of a transformation. */
export function importsOf({ version }: VersionedCode): readonly string[] {
  return [...new Set(importedNames(version.code))]
}

/** What a version shows besides its code. */
function shownWithVersion({ record: { externalId, workspaceId }, version: { commitId = '', number } }: VersionedCode) {
  return {
    number,
    externalId,
    workspaceId,
    commitId: commitId === '' ? undefined : commitId,
  }
}

function recordMembers(code: VersionedCode) {
  const { createdAt, updatedAt, externalId, workspaceId } = code.record
  return {
    ...versionMembers(code),
    externalId,
    workspaceId,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

function versionMembers({ version }: VersionedCode) {
  const { id, versionId, name, description, code, language } = version
  const time = isoTime(version.createdAt)
  return {
    id,
    versionId,
    name,
    description,
    code,
    language,
    createdAt: time,
    updatedAt: time,
  }
}

/** Returns the result of a retested transformation for `detail=true`. */
export function retested({ id, versionId, name, timeMs }: CodeTest) {
  return { id, versionId, name, timeMs }
}

/** Returns a test result for `detail=true`. */
export function passedTest({ id, versionId, name, outputs, log, timeMs }: CodeTest) {
  return { id, versionId, name, transformedEvents: outputs, log, timeMs }
}

/**
 * Returns test results in the shape that RudderStack's public CI action reads. Libraries are listed only when they
 * fail. Source: packages/docs/api/transformations.md#test.
 */
export function testResult(tests: readonly CodeTest[]) {
  const outputOf = ({ outputs, log }: CodeTest) => ({
    transformedEvents: outputs,
    logs: log.map((line) => `Log: ${line}`),
  })
  const passed = tests.filter((test) => test.passed && test.kind === 'transformation')
  const failed = tests.filter((test) => !test.passed)
  return {
    result: {
      successTestResults: passed.map((test) => ({
        transformerVersionID: test.versionId,
        result: { output: outputOf(test) },
      })),
      failedTestResults: failed.map((test) => ({
        id: test.id,
        name: test.name,
        versionId: test.versionId,
        result: { output: outputOf(test), errors: test.errors },
      })),
    },
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
