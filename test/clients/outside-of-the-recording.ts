/**
 * What cannot be as it was recorded: requests by method, path and code of the answer, or type of destination, and how often in all.
 * Another refusal fails the replay.
 */

/** Sluice does not have it. */
export const absent: Readonly<Record<string, number>> = {
  'POST /v2/accounts: featureUnsupported': 1,
  'POST /v2/destinations: ACTIVE_CAMPAIGN': 1,
  'POST /v2/destinations: BQSTREAM': 1,
  'POST /v2/destinations: CUSTOMERIO_AUDIENCE': 2,
  'POST /v2/destinations: FACEBOOK_CONVERSIONS': 1,
  'POST /v2/destinations: GCS': 2,
  'POST /v2/destinations: GOOGLESHEETS': 1,
  'POST /v2/destinations: MARKETO': 1,
  'POST /v2/destinations: ZENDESK': 1,
  'POST /v2/retl-sources: featureUnsupported': 5,
}

/** The server is in another state than the recorded one, because requests before were left out of the recording, or refused. */
export const inAnotherState: Readonly<Record<string, number>> = {
  // What uses the part is still there: its deletion, or the change that ended the use, was left out.
  'DELETE /libraries/{id}: libraryInUse': 2,
  'DELETE /v2/catalog/categories/{id}: planPartUsed': 3,
  'DELETE /v2/catalog/events/{id}: planPartUsed': 4,
  'DELETE /v2/catalog/tracking-plans/{id}: planPartUsed': 1,
  'DELETE /v2/destinations/{id}: recordConnected': 1,
  // The events were added to the plan by requests that were left out.
  'GET /v2/catalog/tracking-plans/{id}/events/{id}: planPartUnknown': 11,
  // The connection was made before, and its deletion left out.
  'POST /v2/connections: recordTaken': 1,
  // The recording has an address in place of each secret, and one of these is a certificate.
  'POST /v2/destinations: configurationInvalid': 1,
  'PUT /v2/destinations/{id}/transformation: transformationUnknown': 1,
}

/** Requests about records that were made by requests which the recording left out, in all. */
export const skippedMax = 278
