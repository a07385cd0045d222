//! The texts of GLM-4, in Chinese: the default system message, the list of tools, and how to read
//! files.

use promptdeck_python::json::dumps;

use crate::message::Tool;

/// Who the model is when the author does not say.
pub(super) const DEFAULT_SYSTEM: &str = "你是一个乐于助人的智能助手。请准确、简洁地回答用户的问题。\n\
                       Always answer in the language the user writes in.";

/// The text that describes tools.
pub(super) fn tools(tools: &[Tool]) -> String {
    let mut text = String::from("# 可用工具\n");
    for tool in tools {
        text.push_str(&format!(
            "\n## {}\n\n{}\n参数：{}\n",
            tool.name,
            tool.description,
            dumps(&tool.parameters, None)
        ));
    }
    text.push_str(
        "\n调用工具时，只输出一个 JSON 对象，不要附加其他文字：\n\
         {\"name\": \"工具名称\", \"parameters\": {\"参数名\": \"参数值\"}}\n\n\
         读取文件时，请一次读取足够的内容，不要逐行读取，也不要重复读取已经读过的部分。",
    );
    text
}
