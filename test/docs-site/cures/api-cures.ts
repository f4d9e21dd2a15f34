import type { ApiErrorCode } from '@sluice/http'

const again = 'Send the request again after a moment.'
/** @param route lists the records that the code is about. */
const idOf = (route: string): string => `\`${route}\` lists the ids. They belong to one workspace, that of the token.`
const destinationIds = idOf('GET /v2/destinations')
const sourceIds = idOf('GET /v2/sources')
const transformationIds = idOf('GET /transformations')
const libraryIds = idOf('GET /libraries')

/** What to do about each error code of the APIs. The causes are in the code: `apiErrors` of @sluice/http. */
export const apiCures: Readonly<Record<ApiErrorCode, string>> = {
  requestInvalid: 'Send an HTTP/1.1 request with a valid path and Host. A proxy in front may rewrite them.',
  queryInvalid: 'Change the parameter that the message names; the [routes](http/index.md) list type and range.',
  bodyInvalid: 'Change the member that the message names; the [routes](http/index.md) list type and range.',
  bodyInvalidJson: 'Check the body with a JSON parser. In a shell, quote it: `-d \'{"a":1}\'`.',
  bodyUnknownMember: 'Remove the member, or correct its name; the message lists those that exist.',
  bodyInvalidGzip: 'Compress the body once, and send all of it. Gzip needs no `Content-Encoding`.',
  bodyInvalidEncoding: 'Correct `Content-Encoding`, or leave out the compression.',
  bodyAborted: 'Send the request again. When it keeps failing, a proxy or the client ends the connection too early.',
  sourceUnconnected: 'Connect the source to a destination, or name another source.',
  testUnsupported:
    'Test the transformation with `POST /transformations/libraries/test`, or send an event and read `GET /v1/events/{messageId}`.',
  checkUnsupported:
    'Send an event and read `GET /v1/events/{messageId}`; `checksCredentials` says which types can be checked.',
  settingUnknown:
    'The message names the settings there are, as does the page of the [destination](destinations/index.md). The test of a source takes no `destinationConfig`.',
  settingsInvalid:
    'Change the setting that the message names, see the page of the [destination](destinations/index.md).',
  deadLettersUnchosen: 'Add `ids`, or `destinationId` for all of a destination.',
  queryInvalidSql: 'Correct the SQL: one statement of DuckDB that only reads, and ends within ten seconds.',
  replayCursorInvalid: 'Pass `next` of the previous answer unchanged, or begin without it.',
  nameMissing: 'Give a name with at least one visible character.',
  nameTooLong: 'Shorten the name to 200 characters.',
  languageUnknown: 'Write `javascript` or `typescript`.',
  publishContradicts: 'Give `publish` once, in the body or in the query.',
  ifMatchInvalid: 'Copy the header `ETag` of an answer, with its quotation marks.',
  memberReadOnly: 'Leave the member out, or send it as it was read.',
  planPartUnknown:
    'The message names what is missing. Create it first, or refer to one that `GET /v2/catalog/…` lists.',
  planPartTaken: 'Change the one that exists, or give another name or external id.',
  planPartInvalid: 'Change what the message names. What events cannot be checked for must be left out of the plan.',
  planPartUsed: 'Change or delete what the message names first.',
  featureUnsupported: 'Leave the part out of the project, or keep it at RudderStack.',
  unauthorized:
    'Send an access token: `Authorization: Bearer TOKEN`, or as password of Basic authentication. `POST /v2/tokens` makes one, or `sluice token create` for a workspace file. Admin credentials open only `/schemas`, `/metrics` and `/v1`.',
  originForeign:
    'Call the API from a server, or from the page of the server itself. Behind a proxy that changes the header `Host`, have it send `X-Forwarded-Host`.',
  scopeMissing: 'Use a token with the scope that the message names; see [Access](../api/access.md).',
  notFound: 'Compare the path with the [routes](http/index.md), also with the prefix under which Sluice is mounted.',
  destinationMissing: `${destinationIds} A replay needs one that is enabled, routes of warehouses one that is a warehouse.`,
  sourceMissing: sourceIds,
  eventUnknown:
    'Check the message id, and the workspace of the token. The newest 100,000 receipts are kept (`--receipts`), and an event of a suppressed user is answered like one never seen.',
  modelUnknown: '`GET /v2/catalogue/models` lists the ids. A model exists after its first event.',
  workspaceUnknown:
    'Check `workspaceId` of the query, which admin credentials may give. The workspace of a token may have been removed from the file.',
  deadLetterUnknown:
    'List the dead letters again: it may have been replayed or removed, or forgotten after 30 days (`--dead-letter-days`).',
  jobUnknown:
    'List the jobs again. The last 100 are kept in the memory of the process that started them: a restart forgets them, and other processes of a cluster do not know them.',
  methodNotAllowed: 'Use a method from the header `Allow`.',
  bodyTooSlow: 'Send less at once, or compressed: after ten seconds, 4 KiB a second must have arrived.',
  requestTooSlow:
    'Send the headers within ten seconds and all of the request within thirty. When clients are fast enough, look at the proxy in front.',
  backupRunning: 'Wait until it is done. One backup runs at a time.',
  bodyTooLarge:
    'Send less at once: 8 MiB, uncompressed. A body that inflates to more than 200 times its size must be sent uncompressed.',
  bodyTypeUnsupported: 'Send JSON with `Content-Type: application/json`.',
  bodyEncodingUnsupported: 'Use gzip, deflate or br, or no compression.',
  expectationFailed: 'Remove the header `Expect`.',
  searchesTooMany: 'Wait as long as `Retry-After` says. Send one report or search of a workspace after the other.',
  attemptsTooMany: 'Stop the client with the wrong credentials, and wait as long as `Retry-After` says.',
  headersTooLarge: 'Send fewer or shorter headers; large cookies of the same host are a common cause.',
  internal: 'Look for the request in the log of the server, and report a bug with what is there.',
  bodyConsumed:
    'Mount Sluice before parsers of bodies, such as `express.json()`; see [Mount](../guides/mount.md#in-express).',
  backupUnsupported:
    'Only a store in a file can be copied. Back up PostgreSQL with its own tools; a store in memory keeps nothing.',
  checkUndecided: 'Check again later; look at the status of the product, and at the network of the server.',
  warehouseUnavailable:
    'Check address, credentials and network of what the message names. `GET /v2/warehouses` shows since when loads fail.',
  unavailable:
    'Send the request again after a moment. When it keeps failing, send less at the same time, or give the sandbox more `--workers`.',
  suppressionUnavailable:
    'Send the request again after a second. If that fails again, see the log of the server and its store.',
  tapsTooMany: 'Close other clients that watch, or wait: 16 may watch at the same time.',
  jobsTooMany: 'Wait for a job to end, or stop one with `DELETE /v2/jobs/{id}`: ten run at the same time.',
  replayBusy: 'Continue with the same `after` when some events are delivered. `sluice replay` does so by itself.',

  transformationUnknown: transformationIds,
  libraryUnknown: libraryIds,
  versionUnknown: 'List the versions of the transformation or library.',
  codeTooLarge: 'Move parts into libraries, or large tables out of the code: a version has at most 1,000,000 bytes.',
  codeInvalid: 'Correct the line that the message names. `sluice test` finds the same before saving.',
  importNameInvalid:
    'Give `importName`: letters, digits and `_ $ . -`. Without it, the name is turned into one, which needs a letter or digit.',
  importNameFixed: 'Save a library with the new name, change the imports, then delete the old one.',
  importNameTaken: 'Choose another name, or save a new version of that library.',
  destinationsNeedPublish: 'Add `publish: true`, or leave out the destinations.',
  eventsNeedPublish: 'Add `publish: true`, or leave out the events.',
  destinationUnknown: destinationIds,
  destinationTaken:
    'Disconnect the other transformation first: `sluice transformations disconnect NAME DESTINATION`. `sluice transformations connect` replaces it.',
  publishEmpty: 'Name at least one transformation or library.',
  publishTwice: 'Name each once, with one version.',
  testInputInvalid: 'Give a list of events, `[{"type": "track", …}]`.',
  testsFailed: 'The details have event, error and line. Mend the code; nothing was stored.',
  publishBreaks: 'Publish the library together with versions of the named transformations that work with it.',
  transformationInUse:
    'Disconnect it from its destinations first, or delete it without `ifUnused=true`, which disconnects it.',
  libraryInUse: 'Publish versions of the named transformations that do not import it first.',
  storageFull: 'Delete transformations or libraries that are not used, with all their versions: 256 MiB are kept.',
  changedMeanwhile: 'Read the record, and make the change again if it still fits.',
  busy: again,

  regulationTypeUnknown: 'Write `suppress` or `suppress_with_delete`.',
  sourcesMissing: 'Leave `sourceIds` out for all sources, or name at least one.',
  destinationsMissing: 'Leave `destinationIds` out for all destinations, or name at least one.',
  sourcesNotAllowed: 'Leave `sourceIds` out: a deletion is for all sources.',
  destinationsNotAllowed: 'Leave `destinationIds` out, or use `suppress_with_delete`.',
  sourceUnknown: sourceIds,
  usersMissing: 'Give `users` with at least one user.',
  usersTooMany: 'Split the list into several requests of at most 5,000 users.',
  usersInvalid: 'Correct the users that the details list by position; nothing was stored.',
  deletionsTooMany:
    'Name fewer users or destinations, or wait: those of the last hour count. The limit is an [option](options.md), `--deletions-per-hour`; it protects against a mistaken request.',
  cursorInvalid: 'Pass the cursor of the previous page unchanged, or begin without it.',
  regulationUnknown: idOf('GET /v2/regulations'),
  deletionsNone: 'Certificates are for `suppress_with_delete`; a regulation that only suppresses deletes nothing.',
  deletionsOpen:
    'Wait until `isOver` is true in `GET /v2/regulations/{id}/deletions`, which says when each is tried again.',
  ledgerMissing:
    'Start `sluice serve` without `--ledger none` and, with `--store`, with a [`--ledger`](options.md); give `createSluice` the option `ledger`.',
  ledgerUnreadable:
    'Run `sluice ledger verify`, and put back the [ledger](../behaviour/regulations.md#ledger) from its own backup.',
  identityUnknown: 'Give the ids exactly as in the request that created the regulation, or leave them out.',
  certificateInvalid:
    'Send the certificate as it was received, to the server and the workspace of its `controller_id`, with its `subject_request_id` in the path.',
  subjectRequestInvalid:
    'Correct what `errors` lists; [OpenDSR](../api/opendsr.md#request) has the rule of each member.',
  subjectRequestTaken: 'Make a new `subject_request_id` for each request; repeat one only unchanged.',
  subjectRequestUnknown:
    'Check the `subject_request_id`, and the workspace of the token. A restored store has forgotten later requests, not their erasures: send it again.',
  subjectRequestBegun:
    'Nothing brings deleted data back. `DELETE /v2/regulations/{id}` with the `regulation_id` of the status lets events of the person in again.',
  subjectUnknown:
    'Send the `controller_customer_id`. Other identities are looked for in the event log, which no longer has older events.',
  subjectAmbiguous:
    'Send the `controller_customer_id` of the person; `GET /v2/users` lists who has the other identities.',
  resultsMissing: 'Wait until the status has a `results_url`.',

  recordUnknown:
    'List the records of the kind, such as `GET /v2/connections`; they belong to one workspace, that of the token.',
  recordTaken: 'Choose another id or name, or change the existing record.',
  recordChanged: 'Read the record again, and send the change with its new `ETag`.',
  recordConnected: 'Delete the connections that the message names first.',
  externalIdTaken: 'Use the record that has the external id, or choose another one.',
  managedByFile: 'Change the workspace file and send SIGHUP, or remove the record from the file and create it here.',
  configurationInvalid: 'Correct every problem of the details: each has a path, a value and the allowed form.',
  configurationFull: 'Delete records that are not used, or use a second workspace: one holds 100,000.',
  configurationBusy: again,
  eventsWaiting:
    'Wait until they are delivered, or delete the destination with `force=true` (`sluice destinations delete ID --force`), which drops them.',
}
