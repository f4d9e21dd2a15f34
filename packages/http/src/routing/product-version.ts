/** The version of Sluice, as the OpenAPI document and `GET /v2/server` show it. */
export const productVersion = '0.1.0'
