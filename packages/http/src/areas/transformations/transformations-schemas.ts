import { codeLanguages } from '@sluice/transformations'
import Type from 'typebox'
import { ExternalId } from '../../routing/external-id.ts'
import { deferredKeyword, errorKeyword } from '../../routing/validator.ts'

const closed = { additionalProperties: false }
const time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

// Requests.

const Name = Type.String({
  format: 'text',
  pattern: '\\S',
  maxLength: 200,
  description: 'text of 1 to 200 characters',
  [errorKeyword]: { required: 'nameMissing', type: 'nameMissing', pattern: 'nameMissing', maxLength: 'nameTooLong' },
})
const changes = {
  description: Type.Optional(
    Type.String({ format: 'text', maxLength: 10_000, description: 'text of at most 10,000 characters' }),
  ),
  code: Type.Optional(Type.String({ format: 'text', description: 'an ES module of at most 1 MB, as text' })),
  language: Type.Optional(
    Type.Enum([...codeLanguages], {
      type: 'string',
      description: 'javascript or typescript',
      [errorKeyword]: 'languageUnknown',
    }),
  ),
  publish: Type.Optional(
    Type.Boolean({ description: 'true or false (the default): whether to test and publish the version' }),
  ),
}
const destinationIds = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: 1_000,
    description: 'a list of destination ids that replaces the connected ones; only together with publish',
  }),
)

const events = Type.Optional(
  Type.Unsafe<unknown>({
    description: 'a list of test events, or such a list as JSON text; only together with publish; default: samples',
  }),
)

const readOnly = Type.Optional(
  Type.Unsafe<unknown>({ readOnly: true, description: 'as stored; an update may repeat it but not change it' }),
)
/** Read-only members that records of transformations and libraries share. */
const repeatable = {
  id: readOnly,
  versionId: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  workspaceId: readOnly,
  externalId: readOnly,
}
const repeatableByTransformations = {
  ...repeatable,
  imports: readOnly,
  codeVersion: readOnly,
  publishedVersionId: readOnly,
  destinations: readOnly,
}
/** Members of a record that an update may repeat but not change. */
export const readOnlyMembers = Object.keys(repeatableByTransformations)

const externalId = Type.Optional(ExternalId)

export const NewTransformation = Type.Object({
  name: Name,
  ...changes,
  codeVersion: Type.Optional(Type.Literal('1', { description: '"1", which is the version of all code' })),
  destinationIds,
  events,
  externalId,
})
export const TransformationChange = Type.Object({
  name: Type.Optional(Name),
  ...changes,
  destinationIds,
  events,
  ...repeatableByTransformations,
})
export const NewLibrary = Type.Object({
  name: Name,
  ...changes,
  importName: Type.Optional(
    Type.String({
      pattern: '^[\\p{L}\\p{N}_$][\\p{L}\\p{N}_$.-]{0,199}$',
      description: 'up to 200 letters, digits and _ $ . -; default: the name in camel case',
      [errorKeyword]: 'importNameInvalid',
    }),
  ),
  externalId,
})
export const LibraryChange = Type.Object({
  name: Type.Optional(Name),
  ...changes,
  importName: Type.Optional(Type.String({ description: 'the import name of the library, which never changes' })),
  ...repeatable,
})

const VersionId = Type.String({ format: 'text', description: 'the versionId of a version' })
/** What a publication may note of itself. */
export const CommitId = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 200,
    description: 'text of at most 200 characters: a note that the published versions keep; tests ignore it',
  }),
)
/** Limit of versions in a request: each is tested, and may be large. */
const versionsMax = { maxItems: 100 }

const payload = {
  transformations: Type.Optional(
    Type.Array(
      Type.Object({
        versionId: VersionId,
        testInput: Type.Optional(
          Type.Unsafe<unknown>({
            description: 'a list of events, or such a list as JSON text; default: a sample event of each type',
          }),
        ),
      }),
      { ...versionsMax, description: 'a list of at most 100 {versionId, testInput?}' },
    ),
  ),
  libraries: Type.Optional(
    Type.Array(Type.Object({ versionId: VersionId }), {
      ...versionsMax,
      description: 'a list of at most 100 {versionId}',
    }),
  ),
}
const versions = ['transformations', 'libraries']
/** Both lists may be empty, as in the manifest of a project without changes, but one must be there. */
export const PublishPayload = Type.Object(
  { ...payload, commitId: CommitId },
  {
    anyOf: versions.map((name) => ({ properties: { [name]: {} }, required: [name] })),
    [deferredKeyword]: ['anyOf'],
  },
)

export const PublishQuery = Type.Object({
  publish: Type.Optional(Type.Boolean({ description: 'true or false; same as publish in the body' })),
})
export const DetailQuery = Type.Object({
  detail: Type.Optional(Type.Boolean({ description: 'true or false: whether to return outputs and timings' })),
})
export const DeleteQuery = Type.Object({
  ifUnused: Type.Optional(
    Type.Boolean({ description: 'true or false: whether to refuse deletion while it is connected' }),
  ),
})
export const VersionsQuery = Type.Object({
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      // Stores cannot represent larger numbers.
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'a whole number from 1 to 2^53 - 1; default all',
    }),
  ),
  orderBy: Type.Optional(
    Type.Enum(['ASC', 'DESC'], { type: 'string', description: 'ASC (the default) or DESC, by createdAt' }),
  ),
})

// Answers.

const version = {
  id: Type.String(),
  versionId: Type.String(),
  name: Type.String(),
  description: Type.String(),
  code: Type.String({ description: 'Source code, unchanged.' }),
  language: Type.Enum([...codeLanguages]),
  createdAt: time,
  updatedAt: time,
}
const codeVersion = Type.Literal('1')
const ofRecord = {
  externalId: Type.Optional(Type.String({ description: 'Absent when none was given.' })),
  workspaceId: Type.String(),
}
/** What a version shows besides its code. */
const shownWithVersion = {
  ...ofRecord,
  number: Type.Integer({ description: 'Counts up from 1 within the record.' }),
  publishedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it was published last. Absent for a draft, and where the change log no longer has it.',
    }),
  ),
  retiredAt: Type.Optional(Type.String({ format: 'date-time', description: 'When another version took its place.' })),
  publishedBy: Type.Optional(Type.String({ description: 'Who published it: `who` of `GET /v2/changes`.' })),
  commitId: Type.Optional(Type.String({ description: 'What its last publication noted. Absent without a note.' })),
}
const imports = Type.Array(Type.String(), {
  description: 'Import names in the code, as written; empty when it cannot be parsed.',
})
const record = {
  ...version,
  ...ofRecord,
}

export const TransformationRecord = Type.Object(
  {
    ...record,
    imports,
    codeVersion,
    publishedVersionId: Type.Union([Type.String(), Type.Null()], { description: 'Null when none is live.' }),
    destinations: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String(), enabled: Type.Boolean() }, closed), {
        description: 'Absent until a version is published.',
      }),
    ),
  },
  closed,
)
export const TransformationVersion = Type.Object({ ...version, ...shownWithVersion, imports, codeVersion }, closed)
export const LibraryRecord = Type.Object({ ...record, importName: Type.String() }, closed)
export const LibraryVersion = Type.Object(
  { ...version, ...shownWithVersion, importName: Type.String(), isPublished: Type.Boolean() },
  closed,
)
export const Deleted = Type.Object({ success: Type.Literal(true) }, closed)

const event = Type.Record(Type.String(), Type.Unknown())
const passedTest = Type.Object(
  {
    id: Type.String(),
    versionId: Type.String(),
    name: Type.String(),
    transformedEvents: Type.Array(event),
    log: Type.Array(Type.String()),
    timeMs: Type.Number(),
  },
  closed,
)
export const Published = Type.Object(
  {
    published: Type.Literal(true),
    transformations: Type.Optional(
      Type.Array(passedTest, { description: 'Only with detail=true, like libraries and retested.' }),
    ),
    libraries: Type.Optional(Type.Array(passedTest)),
    retested: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.String(), versionId: Type.String(), name: Type.String(), timeMs: Type.Number() },
          closed,
        ),
        { description: 'Published transformations that import one of the libraries.' },
      ),
    ),
  },
  closed,
)

const problems = Type.Array(
  Type.Object(
    {
      event: Type.Optional(event),
      error: Type.String(),
      line: Type.Optional(Type.Integer()),
      module: Type.Optional(Type.String()),
    },
    closed,
  ),
)
const transformed = Type.Object({ transformedEvents: Type.Array(event), logs: Type.Array(Type.String()) }, closed)
export const TestResult = Type.Object(
  {
    result: Type.Object(
      {
        successTestResults: Type.Array(
          Type.Object(
            { transformerVersionID: Type.String(), result: Type.Object({ output: transformed }, closed) },
            closed,
          ),
        ),
        failedTestResults: Type.Array(
          Type.Object(
            {
              id: Type.String(),
              name: Type.String(),
              versionId: Type.String(),
              result: Type.Object({ output: transformed, errors: problems }, closed),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  },
  closed,
)

export const listOf = <Name extends string, Item extends Type.TSchema>(name: Name, item: Item) =>
  Type.Object({ [name]: Type.Array(item) } as Record<Name, Type.TArray<Item>>, closed)

/** Area of the routes in the OpenAPI document. */
export const area = 'Transformations'
