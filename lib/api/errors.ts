/** The one table of error codes: code -> HTTP status and default sentence. The interface localises by code. */

export const ERRORS = {
  bad_request: [400, "The request is not valid."],
  invalid_json: [400, "The body is not valid JSON."],
  locked: [400, "Model and Workspace of a conversation never change. Use /model to go on in a new conversation."],
  workspace_not_found: [400, "The Workspace does not exist or is not a directory. Nothing was created."],
  workspace_not_allowed: [400, "The Workspace lies outside the folders that conversations may use."],
  no_default_model: [400, "No model is set up. Add one on the Models page."],
  model_not_found: [400, "This model is not in the Project's configuration."],
  model_credential_missing: [400, "This model has no API key. Add one on the Models page."],
  invalid_base_url: [400, "The base URL is not a valid http(s) address."],
  invalid_password: [400, "A password needs at least 8 characters."],
  password_mismatch: [400, "The current password is wrong."],
  invalid_id: [400, "The id is not valid: lower-case letters, digits and underscores, starting with a letter."],
  invalid_fork_position: [400, "A conversation can be forked behind a completed Request whose calls all have outputs."],
  unauthorized: [401, "Please sign in."],
  invalid_credentials: [401, "User name or password is wrong."],
  link_expired: [401, "This sign-in link is used up or expired. Ask an admin for a new one."],
  forbidden: [403, "You do not have the right to do this."],
  cross_origin: [403, "The request came from another site and was refused."],
  not_found: [404, "Not found."],
  no_such_user: [404, "There is no person with this user name."],
  model_forbidden: [403, "The address of this model may not be used in this Project."],
  already_decided: [409, "This approval was already decided."],
  already_delivered: [409, "This message was already delivered."],
  not_running: [409, "No Task is running in this conversation."],
  task_in_progress: [409, "A Task is already running in this conversation."],
  compacting: [409, "The conversation is being compacted."],
  nothing_to_retry: [409, "There is nothing to retry."],
  nothing_to_compact: [409, "There is nothing to compact yet."],
  already_compacted: [409, "The conversation was just compacted."],
  compaction_not_configured: [409, "Compaction is not set up for this Agent."],
  session_unrecoverable: [409, "This conversation cannot be continued."],
  import_unconfirmed: [409, "This conversation was imported. Confirm its Workspace and system prompt before going on."],
  model_missing: [409, "The model of this conversation no longer exists. Use /model to go on with another one."],
  workspace_missing: [409, "The Workspace of this conversation no longer exists."],
  session_exists: [409, "A conversation with this id already exists under this Agent."],
  share_changed: [409, "What would be shared has changed since the preview. Look at it once more."],
  session_deleting: [409, "This conversation is being deleted."],
  last_owner: [409, "A Project needs at least one owner. Make somebody else an owner first."],
  role_by_group: [409, "A group of the sign-in provider gives this person a higher role."],
  last_admin: [409, "This is the last admin. Make somebody else an admin first."],
  exists: [409, "This id is already taken."],
  payload_too_large: [413, "The body is too large."],
  file_too_large: [413, "The file is too large."],
  too_many_files: [413, "Too many files at once."],
  unsupported_media_type: [415, "Send JSON with the content type application/json."],
  invalid_trace: [422, "This file is not a Trace that can be imported. Nothing was stored."],
  damaged_trace: [422, "Some lines of this Trace are damaged. Nothing was stored."],
  too_many_attempts: [429, "Too many attempts. Wait a moment and try again."],
  internal: [500, "Something failed inside the server. The server's log names the cause."],
  disk_full: [507, "The disk is full: nothing was saved. Free some space and try again."],
  shutting_down: [503, "The server is shutting down."],
  not_supported: [501, "This is not available."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Body of every error answer. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: Record<string, unknown> };
}

/**
 * A refusal on its way to the client. Thrown only on the route side, where `server/http.ts` is the one catch;
 * inside the engine expected failures are values.
 */
export class AppError extends Error {
  /** Recognised by this mark, not by class: bundles hold separate copies of the class. */
  readonly appError = true;
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message ?? ERRORS[code][1]);
  }
  get status(): number {
    return ERRORS[this.code][0];
  }
}

export function isAppError(error: unknown): error is AppError {
  return typeof error === "object" && error !== null && "appError" in error;
}

export function errorBody(error: AppError): ErrorBody {
  const { code, message, details } = error;
  return { error: details ? { code, message, details } : { code, message } };
}
