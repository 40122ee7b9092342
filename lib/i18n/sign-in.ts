import type { Words } from "./words";

/** Words of the pages on which one signs in. */
export const signInWords = {
  "signin.title": ["Sign in", "登录"],
  "signin.lead": [
    "Work with Agents that run commands and edit files, together with your team.",
    "与团队一起，同能够运行命令和编辑文件的智能体协作。",
  ],
  "signin.user": ["User name", "用户名"],
  "signin.password": ["Password", "密码"],
  "signin.show_password": ["Show password", "显示密码"],
  "signin.hide_password": ["Hide password", "隐藏密码"],
  "signin.submit": ["Sign in", "登录"],
  "signin.with": ["Sign in with {name}", "使用 {name} 登录"],
  "signin.or": ["or with a password", "或使用密码"],
  "signin.oidc_denied": [
    "{name} did not let you in, or you cancelled there. Nothing has changed.",
    "{name} 未允许登录，或您在那里取消了操作。没有任何更改。",
  ],
  "signin.oidc_provider": [
    "{name} reported an error. Try again; if it stays, tell whoever runs this server.",
    "{name} 报告了错误。请重试；如果仍然失败，请联系服务器管理者。",
  ],
  "signin.oidc_stale": [
    "This sign-in took too long, or was begun in another window. Try again.",
    "此次登录耗时过长，或是在另一个窗口中开始的。请重试。",
  ],
  "signin.oidc_invalid": [
    "The answer of {name} could not be verified, so nobody was signed in. Try again; if it stays, tell whoever runs this server.",
    "无法验证 {name} 的答复，因此没有登录。请重试；如果仍然失败，请联系服务器管理者。",
  ],
  "signin.oidc_unreachable": [
    "{name} cannot be reached at the moment. Try again later, or use your password if you have one.",
    "目前无法连接 {name}。请稍后重试，或使用密码登录（如果有）。",
  ],
  "signin.oidc_disabled": [
    "Your account on this server is disabled. Ask an admin of this server.",
    "您在此服务器上的账户已停用。请联系此服务器的管理员。",
  ],
  "signin.wrong": ["User name or password is wrong.", "用户名或密码错误。"],
  "signin.too_many": ["Too many attempts. Wait a minute and try again.", "尝试次数过多，请稍等一分钟再试。"],
  "signin.failed": ["Signing in failed on the server. Try again in a moment.", "服务器登录失败，请稍后再试。"],
  "signin.first_time": [
    "First start? The server printed a one-time sign-in link to its terminal.",
    "首次启动？服务器已在终端中打印一次性登录链接。",
  ],
  "signin.insecure": [
    "This page comes over plain http. Whoever is on the same network can read along, and the browser withholds notifications and part of the clipboard. Ask whoever runs the server for an https address.",
    "此页面通过普通 http 传输。同一网络中的人可以看到内容，浏览器也会限制通知和部分剪贴板功能。请向服务器管理者索取 https 地址。",
  ],
  "signin.expired": ["You were signed out. Sign in to go on where you were.", "您已退出登录。请登录以回到原来的页面。"],

  "link.title": ["Set your password", "设置密码"],
  "link.lead": [
    "Choose the password with which you sign in from now on. This link works only once.",
    "请设置今后登录使用的密码。此链接只能使用一次。",
  ],
  "link.password": ["New password", "新密码"],
  "link.repeat": ["Repeat the password", "重复密码"],
  "link.hint": ["At least 8 characters.", "至少 8 个字符。"],
  "link.short": ["Use at least 8 characters.", "请至少使用 8 个字符。"],
  "link.differ": ["The two passwords differ.", "两次输入的密码不一致。"],
  "link.submit": ["Set password and sign in", "设置密码并登录"],
  "link.missing_title": ["This link is not complete", "链接不完整"],
  "link.missing": [
    "Copy the whole link as you got it, with everything after the # sign.",
    "请复制您收到的完整链接，包括 # 号之后的所有内容。",
  ],
  "link.expired_title": ["This link no longer works", "链接已失效"],
  "link.expired": [
    "It was used already, is too old, or a newer one took its place. Ask an admin for a new link. The one of a first start works for 10 minutes: the server prints another when it starts again.",
    "链接已使用、已过期或已被新的链接取代。请向管理员索取新链接。首次启动的链接 10 分钟内有效：重启服务器会打印新的链接。",
  ],
  "link.to_sign_in": ["Go to sign-in", "前往登录"],
} as const satisfies Words;
