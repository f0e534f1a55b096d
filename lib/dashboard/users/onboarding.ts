/**
 * Onboarding by a link: accepting an invitation, and setting a new password. The user has no session yet; the link is
 * the proof. Both accept JSON from the page's script and a form without it.
 */
import { z } from 'zod';
import {
  acceptInvitation,
  audit,
  completePasswordReset,
  createPasswordReset,
  findInvitationByToken,
  findPasswordResetUser,
  invitationState,
  passwordError,
  signIn,
} from '../../auth';
import { now } from '../../db/clock';
import type { HttpResult, Route } from '../../http';
import { log } from '../../telemetry';
import { errorResponse, isFormPost, jsonResponse, readBody, redirect } from '../guard';
import { enrolPath, homePath, signInPath } from '../paths';
import { clientInfo, continueTo, openRoute } from '../sign-in/routes';
import { sendReset } from './emails';
import { nameField } from './users';

const token = z.string().regex(/^[\w-]{43}$/);
const passwordField = z.string('Enter a password.').max(1000);
const acceptForm = z.object({ token, name: nameField, password: passwordField });
const forgottenForm = z.object({ email: z.email('Enter an email address such as name@example.com.').max(254) });
const resetForm = z.object({ token, password: passwordField });

const handleInvitation: Route['run'] = async (request, _params, clientIp) => {
  const parsed = acceptForm.safeParse(await readBody(request));
  if (!parsed.success) return failForm(request, fieldsOf(parsed.error), null);
  const { token, name, password } = parsed.data;
  const page = `${homePath}/invitation/${token}`;
  const at = now();
  const invitation = await findInvitationByToken(token);
  if (!invitation || invitationState(invitation, at) !== 'open') return failForm(request, {}, page);
  const error = passwordError(password, invitation.email);
  if (error) return failForm(request, { password: error }, page);
  const id = await acceptInvitation(token, { name, password }, at);
  if (id === null) return failForm(request, {}, page);
  await audit({ actor: `user:${id}`, action: 'invitation.accept', subject: `user:${id}` }, at);
  const done = await signIn({ email: invitation.email, password }, clientInfo(request, clientIp), at);
  const next = done.kind === 'done' && done.enrol ? enrolPath : done.kind === 'done' ? homePath : signInPath;
  return continueTo(request, next, done.kind === 'done' ? done.setCookie : []);
};

// The answer and its timing do not reveal whether the account exists: the email is sent afterwards.
const handleForgottenPassword: Route['run'] = async (request) => {
  const parsed = forgottenForm.safeParse(await readBody(request));
  if (!parsed.success) return failForm(request, fieldsOf(parsed.error), `${signInPath}/forgotten`);
  sendLink(parsed.data.email, now()).catch((err) => log.error({ err }, 'password reset email was not sent'));
  return isFormPost(request) ? redirect(`${signInPath}/forgotten?sent=1`) : jsonResponse(200, {});
};

async function sendLink(email: string, at: Date): Promise<void> {
  const reset = await createPasswordReset(email, at);
  if (!reset) return;
  await audit({ actor: 'nobody', action: 'password.forgotten', subject: `user:${reset.userId}` }, at);
  await sendReset(reset, at);
}

const handlePasswordReset: Route['run'] = async (request) => {
  const parsed = resetForm.safeParse(await readBody(request));
  if (!parsed.success) return failForm(request, fieldsOf(parsed.error), null);
  const { token, password } = parsed.data;
  const page = `${signInPath}/new-password/${token}`;
  const at = now();
  const person = await findPasswordResetUser(token, at);
  if (!person) return failForm(request, {}, page);
  const error = passwordError(password, person.email);
  if (error) return failForm(request, { password: error }, page);
  await audit({ actor: `user:${person.id}`, action: 'password.reset', subject: `user:${person.id}` }, at);
  if (!(await completePasswordReset(token, password, at))) return failForm(request, {}, page);
  return continueTo(request, `${signInPath}?fresh=1`);
};

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]));
}

// Without script the page is rendered again with the error at its field; the page of an expired link shows that itself.
function failForm(request: Request, fields: Record<string, string>, page: string | null): HttpResult {
  const [[field, text] = ['', 'This link has expired.']] = Object.entries(fields);
  if (!isFormPost(request)) return field === '' ? errorResponse(410, text) : errorResponse(400, text, { fields });
  return redirect(page === null ? signInPath : `${page}?${new URLSearchParams({ fault: field })}`);
}

/** Onboarding by a link. */
export const onboardingRoutes: Route[] = [
  openRoute('/invitation', handleInvitation),
  openRoute('/password/forgotten', handleForgottenPassword),
  openRoute('/password/reset', handlePasswordReset),
];
